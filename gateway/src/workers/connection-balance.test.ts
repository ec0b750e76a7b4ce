import { describe, expect, test } from '@jest/globals';
import { connectionsToMove, type WorkerLoad } from './connection-balance.ts';

const busy = (connections: number): WorkerLoad => ({ connections, utilisation: 1 });
const idle = (connections: number): WorkerLoad => ({ connections, utilisation: 0.1 });
/** The number that the first of these workers moves. */
const moved = (...all: readonly [WorkerLoad, ...WorkerLoad[]]): number => connectionsToMove(all[0], all);

describe('connections that a worker moves', () => {
	test('are half of those above the average', () => {
		expect(moved(busy(64), idle(0))).toBe(16);
		expect(moved(busy(90), idle(0), idle(0))).toBe(30);
		expect(moved(busy(2), idle(0))).toBe(1);
	});

	test('are none of a worker that is not busy, or less busy than the others', () => {
		expect(moved(idle(64), idle(0))).toBe(0);
		expect(moved({ connections: 64, utilisation: 0.6 }, busy(0))).toBe(0);
	});

	test('are none of an even distribution, or of one as uneven as chance makes it', () => {
		expect(moved(busy(32), busy(32))).toBe(0);
		expect(moved(busy(39), busy(25))).toBe(0);
		expect(moved(busy(1), idle(0))).toBe(0);
	});

	test('are none of the only worker that reports', () => {
		expect(moved(busy(64))).toBe(0);
	});

	test('are few at once', () => {
		expect(moved(busy(10_000), idle(0))).toBe(50);
	});

	test('leave a worker its average, and become none, even if all of them reach the same other worker', () => {
		for (const start of [
			[64, 0],
			[7, 0],
			[1_000, 3],
			[20, 10, 0],
			[100, 0, 0, 0],
		]) {
			const counts = [...start];
			const average = counts.reduce((sum, each) => sum + each, 0) / counts.length;
			let movedLast = 0;
			for (let round = 0; round < 50; round += 1) {
				movedLast = 0;
				for (const [at, own] of counts.entries()) {
					const count = connectionsToMove(busy(own), counts.map(busy));
					if (count === 0) continue;
					movedLast += count;
					counts[at] = own - count;
					expect(counts[at]).toBeGreaterThanOrEqual(Math.floor(average));
					const least = counts.indexOf(Math.min(...counts));
					counts[least] = (counts[least] ?? 0) + count;
				}
			}
			expect(movedLast).toBe(0);
			expect(Math.max(...counts) - average).toBeLessThanOrEqual(Math.max(1, average / 4));
		}
	});
});
