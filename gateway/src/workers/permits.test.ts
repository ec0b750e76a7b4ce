import { describe, expect, test } from '@jest/globals';
import { type Counted, settle, simulateWorkers } from '../../test/simulated-workers.ts';
import { windowMs } from '../limits/rate-limit.ts';

// The defects that were tried show within these; more of them would only bring a slow machine near the limit of a test.
const runs = Array.from({ length: 100 }, (_, at) => at + 1);

/** Numerical Recipes' linear congruential generator: the same numbers in every run. */
function seededRandom(seed: number): () => number {
	let state = seed;
	const next = (): number => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
	next();
	return next;
}

const isAdmitted = (limit: number) => (each: Counted) => each.requests <= limit;

/** Admitted requests by the end of their window. */
function admittedByWindow(counted: readonly Counted[], limit: number): Map<number, number> {
	const admitted = new Map<number, number>();
	for (const { atMs, resetMs } of counted.filter(isAdmitted(limit)))
		admitted.set(atMs + resetMs, (admitted.get(atMs + resetMs) ?? 0) + 1);
	return admitted;
}

/** What remains, for each worker: a client with one connection sees that of one worker. */
function expectDecreasing(counted: readonly Counted[]): void {
	for (const worker of new Set(counted.map((each) => each.worker))) {
		const requests = counted.filter((each) => each.worker === worker).map((each) => each.requests);
		expect(requests).toEqual(requests.toSorted((a, b) => a - b));
	}
}

async function deliverAll(system: ReturnType<typeof simulateWorkers>, random: () => number): Promise<void> {
	await settle();
	while (await system.deliver(random));
}

describe('limits of several workers', () => {
	test('are never exceeded and reached within a tenth, in any order of messages', async () => {
		for (const seed of runs) {
			const random = seededRandom(seed);
			const size = 2 + Math.floor(random() * 3);
			const limit = 1 + Math.floor(random() * 150);
			const system = simulateWorkers(size, limit);
			const sent = limit + Math.floor(random() * 60);
			// Some runs favour one worker, some send many requests between two messages.
			const [favoured, eagerness] = [random(), random()];
			for (let at = 0; at < sent; at += 1) {
				system.send(random() < favoured ? 0 : Math.floor(random() * size));
				while (random() > eagerness && (await system.deliver(random)));
				// Within one window.
				system.advance(Math.floor((random() * windowMs) / sent));
			}
			await deliverAll(system, random);
			const admitted = system.counted.filter(isAdmitted(limit)).length;
			expectDecreasing(system.counted);
			expect({ seed, counted: system.counted.length }).toEqual({ seed, counted: sent });
			expect(admitted).toBeLessThanOrEqual(limit);
			expect(admitted).toBeGreaterThanOrEqual(limit - Math.floor(limit / 10));
		}
	});

	test('are not exceeded in any window, whichever workers exit', async () => {
		for (const seed of runs) {
			const random = seededRandom(seed);
			const limit = 1 + Math.floor(random() * 80);
			const system = simulateWorkers(3, limit);
			const workers = [0, 1, 2];
			for (let step = 0; step < 400; step += 1) {
				const at = Math.floor(random() * workers.length);
				if (random() < 0.01) workers[at] = system.replace(workers[at] ?? 0);
				if (random() < 0.5) {
					system.send(workers[at] ?? 0);
					await settle();
				} else await system.deliver(random);
				system.advance(Math.floor((random() * windowMs) / 100));
			}
			await deliverAll(system, random);
			const admitted = admittedByWindow(system.counted, limit);
			expect(admitted.size).toBeGreaterThan(1);
			expect(Math.max(...admitted.values())).toBeLessThanOrEqual(limit);
			// Windows don't overlap, so none of them borrows from the next one.
			const ends = [...admitted.keys()].sort((a, b) => a - b);
			for (const [at, end] of ends.entries())
				expect(end - (ends[at - 1] ?? 0)).toBeGreaterThanOrEqual(windowMs);
		}
	});

	test('are shown to a client without ever increasing, five seconds late at most near the limit', async () => {
		for (const seed of runs) {
			const random = seededRandom(seed);
			const limit = 40 + Math.floor(random() * 200);
			const system = simulateWorkers(2, limit);
			for (let at = 0; at < limit; at += 1) {
				system.send(random() < 0.5 ? 0 : 1);
				await deliverAll(system, random);
				system.advance(Math.floor((random() * windowMs) / (2 * limit)));
			}
			expectDecreasing(system.counted);
			// Those of the other worker that it has not reported.
			const unreportedMax = Math.ceil(limit / 10);
			let earlier = 0;
			for (const { requests, atMs } of system.counted) {
				while ((system.counted[earlier]?.atMs ?? atMs) < atMs - 5_000) earlier += 1;
				if (requests <= limit / 2 + 1) continue;
				expect(requests).toBeGreaterThanOrEqual(earlier - unreportedMax);
			}
		}
	});

	test('are refreshed although a worker still has permits', async () => {
		const system = simulateWorkers(2, 300);
		const random = seededRandom(1);
		const sendTo = async (worker: number, count: number): Promise<void> => {
			for (let at = 0; at < count; at += 1) {
				system.send(worker);
				await deliverAll(system, random);
			}
		};
		await sendTo(0, 155);
		await sendTo(1, 100);
		await sendTo(0, 1);
		expect(system.counted.at(-1)?.requests).toBe(156);
		system.advance(5_000);
		await sendTo(0, 1);
		expect(system.counted.at(-1)?.requests).toBeGreaterThanOrEqual(257 - 30);
	});

	test('need one message from a client that stays far below them', async () => {
		const system = simulateWorkers(2, 300);
		for (let at = 0; at < 10; at += 1) {
			system.send(0);
			await deliverAll(system, seededRandom(1));
			system.advance(windowMs / 11);
		}
		expect(system.counted.map(({ requests }) => requests)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
		expect(system.messages()).toBe(1);
	});

	test('need few messages', async () => {
		const system = simulateWorkers(2, 300);
		const random = seededRandom(1);
		for (let at = 0; at < 1_000; at += 1) {
			system.send(at % 2);
			await deliverAll(system, random);
		}
		expect(system.counted.filter(isAdmitted(300)).length).toBeGreaterThanOrEqual(270);
		expect(system.messages()).toBeLessThanOrEqual(50);
	});

	test('lose a tenth at most at a worker that the client has left', async () => {
		const system = simulateWorkers(2, 100);
		const random = seededRandom(1);
		system.send(0);
		await deliverAll(system, random);
		for (let at = 0; at < 100; at += 1) {
			system.send(1);
			await deliverAll(system, random);
		}
		expect(system.counted.filter(isAdmitted(100)).length).toBeGreaterThanOrEqual(90);
		expect(system.counted.at(-1)?.requests).toBe(101);
	});
});
