import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Load } from './load.ts';

const execute = promisify(execFile);

/** Latencies of a load with a fixed rate. */
export interface Tail {
	readonly requests: number;
	readonly requestsPerSecond: number;
	readonly p50Ms: number;
	readonly p99Ms: number;
	readonly p999Ms: number;
	readonly slowestMs: number;
	/** Broken connections and responses with an unexpected status. */
	readonly errors: number;
}

interface Output {
	readonly summary: { readonly total: number; readonly slowest: number };
	/** Seconds; null if no request was completed. */
	readonly latencyPercentiles: Readonly<Record<string, number | null>>;
	readonly statusCodeDistribution: Readonly<Record<string, number>>;
	readonly errorDistribution: Readonly<Record<string, number>>;
}

// Requests that are in flight at the end.
const unfinished = 'aborted due to deadline';

/**
 * Sends requests at a fixed rate, whatever the latency is. It is measured from the time at which a request was due: if the
 * target pauses, the requests that wait for a connection count as well.
 * @throws if oha fails
 */
export async function ohaLoad(origin: string, load: Load, rate: number, seconds: number): Promise<Tail> {
	const headers = Object.entries(load.headers).map(([name, value]) => `${name}: ${value}`);
	const [token] = load.tokens;
	if (token !== undefined) headers.push(`Authorization: Bearer ${token}`);
	const args = [
		...['-q', String(rate), '--latency-correction', '-z', `${seconds}s`, '-c', String(load.connections)],
		...['--no-tui', '--json', '-m', load.method],
		...headers.flatMap((header) => ['-H', header]),
		...(load.body === undefined ? [] : ['-d', load.body]),
	];
	const { stdout } = await execute('oha', [...args, origin + load.path]);
	const output = JSON.parse(stdout) as Output;
	const { [unfinished]: _, ...broken } = output.errorDistribution;
	const { [load.status]: expected = 0, ...unexpected } = output.statusCodeDistribution;
	const milliseconds = (name: string): number => (output.latencyPercentiles[name] ?? Number.NaN) * 1_000;
	return {
		requests: expected,
		requestsPerSecond: expected / output.summary.total,
		p50Ms: milliseconds('p50'),
		p99Ms: milliseconds('p99'),
		p999Ms: milliseconds('p99.9'),
		slowestMs: output.summary.slowest * 1_000,
		errors: [...Object.values(broken), ...Object.values(unexpected)].reduce((sum, each) => sum + each, 0),
	};
}
