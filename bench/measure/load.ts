import { autocannonLoad } from './autocannon-load.ts';
import { isInstalled } from './cores.ts';
import { wrkLoad } from './wrk-load.ts';

/** What is asked for, over and over. */
export interface Load {
	readonly method: string;
	/** Without the origin. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Taken in turn, one for each request; none = no Authorization. */
	readonly tokens: readonly string[];
	readonly body: string | undefined;
	readonly connections: number;
	/** Each connection waits so long between two requests, on average; 0 = as fast as answers come. */
	readonly pauseMs: number;
	readonly status: number;
}

export interface LoadResult {
	readonly requests: number;
	readonly seconds: number;
	readonly p50Ms: number;
	readonly p99Ms: number;
	readonly p999Ms: number;
	/** Broken connections, time-outs, and answers with another status than the one expected. */
	readonly errors: number;
}

export type LoadGenerator = (origin: string, load: Load, seconds: number) => Promise<LoadResult>;

/** wrk where there is one: it takes the least of the core that it shares with the upstream. */
export function loadGenerator(): { readonly name: string; readonly run: LoadGenerator } {
	return isInstalled('wrk') ? { name: 'wrk', run: wrkLoad } : { name: 'autocannon', run: autocannonLoad };
}
