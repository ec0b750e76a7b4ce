import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../measure/process-usage.ts';
import { type Bench, startGateway, type Target } from './targets.ts';

export interface StreamMemory {
	readonly direction: 'download';
	readonly megabytes: number;
	readonly seconds: number;
	/** The highest resident memory seen while it streamed, above that before it. */
	readonly grownMb: number;
}

const mebibytes = 100;
const warmUpRounds = 4;
const sampleMs = 20;

/** A download of 100 MiB through a gateway that has been in use: does memory grow with it? Request bodies are buffered. */
export async function measureStreaming(bench: Bench): Promise<StreamMemory[]> {
	const gateway = await startGateway(bench);
	try {
		const [token = ''] = bench.tokens(1);
		// Buffers and heap take their working size with the first few.
		for (let round = 0; round < warmUpRounds; round += 1) await download(gateway, token);
		return [await whileSampling(gateway, 'download', () => download(gateway, token))];
	} finally {
		await gateway.stop();
	}
}

async function whileSampling(
	gateway: Target,
	direction: StreamMemory['direction'],
	send: () => Promise<void>,
): Promise<StreamMemory> {
	const before = residentBytes(gateway.pid);
	let highest = before;
	let done = false;
	const sampling = (async () => {
		while (!done) {
			highest = Math.max(highest, residentBytes(gateway.pid));
			await delay(sampleMs);
		}
	})();
	const startedAt = performance.now();
	await send();
	done = true;
	await sampling;
	const seconds = (performance.now() - startedAt) / 1_000;
	return { direction, megabytes: (mebibytes * 1_048_576) / 1e6, seconds, grownMb: (highest - before) / 1e6 };
}

function download(gateway: Target, token: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const headers = { Authorization: `Bearer ${token}` };
		const path = `/api/horses/stream/${mebibytes}`;
		const outgoing = request(gateway.origin + path, { headers, agent: false }, (answer) => {
			let bytes = 0;
			answer.on('data', (chunk: Buffer) => {
				bytes += chunk.length;
			});
			answer.once('error', reject);
			answer.once('end', () => {
				if (bytes === mebibytes * 1_048_576) resolve();
				else reject(new Error(`${bytes} bytes came of ${mebibytes} MiB.`));
			});
		});
		outgoing.once('error', reject).end();
	});
}
