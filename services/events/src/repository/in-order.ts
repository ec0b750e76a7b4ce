/** Sorts the rows by the order of the ids; omits ids whose rows have been deleted since. */
export function inOrder<Row extends { readonly id: string }>(
	ids: readonly string[],
	rows: readonly Row[],
): readonly Row[] {
	const known = new Map(rows.map((row) => [row.id, row]));
	return ids.flatMap((id) => known.get(id) ?? []);
}
