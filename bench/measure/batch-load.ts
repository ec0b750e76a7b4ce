import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Load, LoadGenerator } from './load.ts';

/** Sends load over connections that stay open between calls: a call may be shorter than the opening of connections would allow. */
interface BatchLoad {
	/** Resolves when the target has also finished the work that the batch caused, e.g. an export of its spans. */
	readonly run: LoadGenerator;
	close(): void;
}

/** @param settleMs after which the target is idle */
export function openBatchLoad(settleMs: number): BatchLoad {
	const agent = new Agent({ keepAlive: true });
	return {
		run: async (origin, load, seconds) => {
			const [startedAt, latencies] = [performance.now(), [] as number[]];
			const endAt = startedAt + seconds * 1_000;
			let errors = 0;
			const client = async (): Promise<void> => {
				while (performance.now() < endAt) {
					const sentAt = performance.now();
					if (!(await send(agent, origin, load, latencies.length))) errors += 1;
					latencies.push(performance.now() - sentAt);
				}
			};
			await Promise.all(Array.from({ length: load.connections }, client));
			const took = (performance.now() - startedAt) / 1_000;
			await wait(settleMs);
			const sorted = latencies.sort((a, b) => a - b);
			const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
			const percentiles = { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999) };
			return { requests: latencies.length, seconds: took, ...percentiles, errors };
		},
		close: () => agent.destroy(),
	};
}

/** @returns whether the response has the expected status */
function send(agent: Agent, origin: string, load: Load, index: number): Promise<boolean> {
	const { method, path, headers, tokens, body, status } = load;
	const token = tokens[index % tokens.length];
	const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
	return new Promise((resolve, reject) => {
		const sent = request(origin + path, { agent, method, headers: { ...headers, ...authorization } });
		sent.on('error', reject).on('response', (response) => {
			response.on('error', reject).on('end', () => resolve(response.statusCode === status));
			response.resume();
		});
		sent.end(body);
	});
}
