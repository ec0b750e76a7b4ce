import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../measure/process-usage.ts';
import { type Bench, startGateway, type Target } from './targets.ts';

export interface StreamMemory {
	readonly direction: 'download' | 'upload';
	readonly megabytes: number;
	readonly seconds: number;
	/** The highest resident memory seen while it streamed, above that before it. */
	readonly grownMb: number;
}

const mebibytes = 100;
const warmUpRounds = 4;
const sampleMs = 20;
const block = Buffer.alloc(65_536, 'x');

/** 100 MiB in each direction through a gateway that has been in use: does memory grow with what passes? */
export async function measureStreaming(bench: Bench): Promise<StreamMemory[]> {
	const gateway = await startGateway(bench, { settings: { BODY_BYTES_MAX: '1073741824' } });
	try {
		const [token = ''] = bench.tokens(1);
		// Buffers and heap take their working size with the first few.
		for (let round = 0; round < warmUpRounds; round += 1)
			for (const send of [download, upload]) await send(gateway, token);
		return [
			await whileSampling(gateway, 'download', () => download(gateway, token)),
			await whileSampling(gateway, 'upload', () => upload(gateway, token)),
		];
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

function upload(gateway: Target, token: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const bytes = mebibytes * 1_048_576;
		const headers = { Authorization: `Bearer ${token}`, 'Content-Length': bytes };
		const options = { method: 'POST', headers, agent: false };
		const outgoing = request(`${gateway.origin}/api/horses`, options, (answer) => {
			answer.resume();
			if (answer.statusCode === 201) answer.once('end', resolve);
			else reject(new Error(`The upload was answered with ${answer.statusCode}.`));
		});
		outgoing.once('error', reject);
		let blocks = bytes / block.length;
		const send = (): void => {
			while (blocks > 0) {
				blocks -= 1;
				if (!outgoing.write(block)) {
					outgoing.once('drain', send);
					return;
				}
			}
			outgoing.end();
		};
		send();
	});
}
