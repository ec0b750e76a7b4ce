/**
 * The birth date of whoever turns `ageInYear` in the year of `now`: demo data is put in years after it was written, and
 * its juniors must still be juniors then. `birthday` is `MM-DD` and no 29 February.
 */
export function birthDateOf(
	born: { readonly ageInYear: number; readonly birthday: string },
	now: Date,
): string {
	return `${now.getUTCFullYear() - born.ageInYear}-${born.birthday}`;
}
