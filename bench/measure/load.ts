/** A request that is repeated, and its rate. */
export interface Load {
	readonly method: string;
	/** Without the origin. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Used in rotation, one per request; empty = no Authorization. */
	readonly tokens: readonly string[];
	readonly body: string | undefined;
	readonly connections: number;
	/** Average pause of each connection between two requests; 0 = send as soon as the response is received. */
	readonly pauseMs: number;
	/** The expected status; others count as errors. */
	readonly status: number;
}

export interface LoadResult {
	readonly requests: number;
	readonly seconds: number;
	readonly p50Ms: number;
	readonly p99Ms: number;
	readonly p999Ms: number;
	/** Broken connections, time-outs and responses with an unexpected status. */
	readonly errors: number;
}

export type LoadGenerator = (origin: string, load: Load, seconds: number) => Promise<LoadResult>;
