import autocannon from 'autocannon';
import type { Load, LoadResult } from './load.ts';

/** Generates load with autocannon: portable, but with more CPU use than wrk and a resolution of 1 ms. */
export async function autocannonLoad(origin: string, load: Load, seconds: number): Promise<LoadResult> {
	const tokens = load.tokens.length === 0 ? [undefined] : load.tokens;
	const rate =
		load.pauseMs === 0 ? {} : { overallRate: Math.round((load.connections * 1_000) / load.pauseMs) };
	const result = await autocannon({
		url: origin,
		connections: load.connections,
		duration: seconds,
		...rate,
		requests: tokens.map((token) => ({
			method: load.method,
			path: load.path,
			headers: { ...load.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
			...(load.body === undefined ? {} : { body: load.body }),
		})),
	});
	const expected = result.statusCodeStats[String(load.status)]?.count ?? 0;
	return {
		requests: result.requests.total,
		seconds: result.duration,
		p50Ms: result.latency.p50,
		p99Ms: result.latency.p99,
		p999Ms: result.latency.p99_9,
		errors: result.errors + result.requests.total - expected,
	};
}
