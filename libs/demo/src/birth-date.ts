/**
 * The birth date of a person who turns `ageInYear` in the year of `now`: juniors in the demo data must be juniors in
 * any year. `birthday` is `MM-DD`, but not 29 February.
 */
export function birthDateOf(
	born: { readonly ageInYear: number; readonly birthday: string },
	now: Date,
): string {
	return `${now.getUTCFullYear() - born.ageInYear}-${born.birthday}`;
}
