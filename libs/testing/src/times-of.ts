interface RecordTimes {
	readonly createdAt: string;
	readonly updatedAt: string;
}

/** The times of a record, which the database sets: for a comparison of all its fields. */
export function timesOf({ createdAt, updatedAt }: RecordTimes): RecordTimes {
	return { createdAt, updatedAt };
}
