import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../measure/process-usage.ts';
import { type Bench, startGateway, type Target } from './targets.ts';

export interface StreamMemory {
	readonly direction: 'download';
	readonly megabytes: number;
	readonly seconds: number;
	/** Highest resident memory during the transfer minus the memory before it. */
	readonly growthMb: number;
}

const mebibytes = 100;
const warmUpRounds = 4;
const sampleMs = 20;

/** Measures memory growth during a download through a warm gateway. Uploads are not measured: they are buffered. */
export async function measureStreaming(bench: Bench): Promise<StreamMemory[]> {
	const gateway = await startGateway(bench);
	try {
		const [token = ''] = bench.tokens(1);
		// Buffers and heap reach their working size during the first downloads.
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
	return { direction, megabytes: (mebibytes * 1_048_576) / 1e6, seconds, growthMb: (highest - before) / 1e6 };
}

function download(gateway: Target, token: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const headers = { Authorization: `Bearer ${token}` };
		const path = `/api/horses/stream/${mebibytes}`;
		const outgoing = request(gateway.origin + path, { headers, agent: false }, (response) => {
			let bytes = 0;
			response.on('data', (chunk: Buffer) => {
				bytes += chunk.length;
			});
			response.once('error', reject);
			response.once('end', () => {
				if (bytes === mebibytes * 1_048_576) resolve();
				else reject(new Error(`Received ${bytes} bytes instead of ${mebibytes} MiB.`));
			});
		});
		outgoing.once('error', reject).end();
	});
}
