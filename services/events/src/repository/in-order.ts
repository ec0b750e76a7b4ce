/** The rows in the order of their ids; those that are gone meanwhile are left out. */
export function inOrder<Row extends { readonly id: string }>(
	ids: readonly string[],
	rows: readonly Row[],
): readonly Row[] {
	const known = new Map(rows.map((row) => [row.id, row]));
	return ids.flatMap((id) => known.get(id) ?? []);
}
