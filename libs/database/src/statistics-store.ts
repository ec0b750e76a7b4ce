/** Statistics, and the time at which they were counted. */
export interface Counted<Numbers> {
	readonly numbers: Numbers;
	readonly countedAt: Date;
}

/** The numbers of one pool: those that were counted last, and those that are being counted. */
export interface StatisticsStore {
	readonly counted: Map<string, Counted<unknown>>;
	readonly counting: Map<string, Promise<Counted<unknown>>>;
	/** Ends when no more numbers are being counted. One at a time: a count keeps a connection for seconds. */
	last: Promise<unknown>;
}

export function createStatisticsStore(): StatisticsStore {
	return { counted: new Map(), counting: new Map(), last: Promise.resolve() };
}
