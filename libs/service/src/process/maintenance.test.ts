import { expect, test } from '@jest/globals';
import { atMostEvery } from './maintenance.ts';

test('a task runs at once, then at most once in the interval, and again soon if it failed', async () => {
	let nowMs = 0;
	let runs = 0;
	const task = atMostEvery(
		1_000,
		() => new Date(nowMs),
		async () => {
			runs += 1;
			if (runs === 2) throw new Error('failed');
		},
	);
	const runsAt = async (atMs: number) => {
		nowMs = atMs;
		await task().catch(() => {});
		return runs;
	};
	expect(await runsAt(0)).toBe(1);
	expect(await runsAt(999)).toBe(1);
	expect(await runsAt(1_000)).toBe(2);
	expect(await runsAt(1_001)).toBe(3);
	expect(await runsAt(2_000)).toBe(3);
	// The clock was set back.
	expect(await runsAt(-5_000)).toBe(4);
});
