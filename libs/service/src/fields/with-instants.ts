type WithInstants<Row> = {
	[Column in keyof Row]: Date extends Row[Column] ? Exclude<Row[Column], Date> | string : Row[Column];
};

/** A row with its instants as responses show them, in ISO 8601 and UTC. */
export function withInstants<Row extends object>(row: Row): WithInstants<Row> {
	const columns = Object.entries(row).map(([name, value]) => [
		name,
		value instanceof Date ? value.toISOString() : value,
	]);
	return Object.fromEntries(columns) as WithInstants<Row>;
}
