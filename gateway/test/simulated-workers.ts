import { setImmediate as nextIteration } from 'node:timers/promises';
import { silentLogger } from '@paddock/telemetry';
import type { RateCount, RateCounts } from '../src/limits/rate-limit.ts';
import { permitCounts } from '../src/workers/permit-counts.ts';
import { createPermitPool } from '../src/workers/permit-pool.ts';

/** A response to a request, and the time at which it was counted. */
export interface Counted extends RateCount {
	readonly worker: number;
	readonly atMs: number;
}

interface Worker {
	readonly counts: RateCounts;
	/** Messages in each direction arrive in order. */
	readonly toPrimary: (() => void)[];
	readonly toWorker: (() => void)[];
}

/** Workers and the permit pool with channels between them that deliver a message when the test says so. */
export function simulateWorkers(size: number, limit: number) {
	let atMs = 1_000_000;
	const nowMs = () => atMs;
	const counted: Counted[] = [];
	let messages = 0;
	let isHanging = false;
	const call = <T>(there: (() => void)[], back: (() => void)[], run: () => T | Promise<T>): Promise<T> =>
		new Promise((resolve, reject) => {
			messages += 1;
			const late = () => reject(new Error('no response'));
			there.push(() => {
				if (isHanging) late();
				else
					void Promise.resolve(run()).then((result) =>
						back.push(() => (isHanging ? late() : resolve(result))),
					);
			});
		});
	const pool = createPermitPool(nowMs);
	const openWorker = (at: number): Worker => {
		const [toPrimary, toWorker]: [(() => void)[], (() => void)[]] = [[], []];
		const counts = permitCounts({
			primary: {
				grant: (all) => call(toPrimary, toWorker, () => all.map((each) => pool(at, each))),
			},
			nowMs,
			logger: silentLogger(),
		});
		return { counts, toPrimary, toWorker };
	};
	const workers: (Worker | undefined)[] = Array.from({ length: size }, (_, at) => openWorker(at));
	const queues = () =>
		workers.flatMap((worker) => (worker === undefined ? [] : [worker.toPrimary, worker.toWorker]));
	return {
		nowMs,
		advance: (ms: number): void => {
			atMs += ms;
		},
		counted,
		messages: () => messages,
		/** Whether calls between the primary process and the workers fail. */
		hang: (hangs: boolean): void => {
			isHanging = hangs;
		},
		send: (worker: number): void => {
			const counts = workers[worker]?.counts.add([{ policy: 'user', key: 'a', limit }]);
			void counts?.then(([count]) => {
				counted.push({ ...(count as RateCount), worker, atMs: nowMs() });
			});
		},
		/** Delivers messages of a random channel, as many as one read may contain. @returns whether there was one */
		deliver: async (random: () => number): Promise<boolean> => {
			const filled = queues().filter((queue) => queue.length > 0);
			const queue = filled[Math.floor(random() * filled.length)];
			for (const message of queue?.splice(0, 1 + Math.floor(3 * random())) ?? []) message();
			await settle();
			return filled.length > 0;
		},
		/** Ends a worker with its permits and messages. @returns the number of its replacement */
		replace: (worker: number): number => {
			workers[worker] = undefined;
			return workers.push(openWorker(workers.length)) - 1;
		},
	};
}

/** A step of a worker or of the pool takes up to two iterations of the event loop. */
export async function settle(): Promise<void> {
	await nextIteration();
	await nextIteration();
}
