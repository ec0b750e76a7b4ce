import { expect, test } from '@jest/globals';
import { createReplayProgress } from './read-replica.ts';

test('nothing is known before a position has been replayed', () => {
	const progress = createReplayProgress();
	progress.written(1_000, 50);
	progress.replayed(49);
	expect(progress.completeUntil).toBeUndefined();
});

test('a standby is complete until the newest position that it has replayed', () => {
	const progress = createReplayProgress();
	progress.written(1_000, 50);
	progress.written(2_000, 70);
	progress.written(3_000, 90);
	progress.replayed(89);
	expect(progress.completeUntil).toBe(2_000);
	progress.replayed(90);
	expect(progress.completeUntil).toBe(3_000);
});

test('a primary without writes does not make its standby late', () => {
	const progress = createReplayProgress();
	for (const at of [1_000, 2_000, 3_000]) progress.written(at, 50);
	progress.replayed(50);
	expect(progress.completeUntil).toBe(3_000);
	progress.written(4_000, 50);
	progress.replayed(50);
	expect(progress.completeUntil).toBe(4_000);
});

test('samples that are dropped never make a standby look newer', () => {
	const progress = createReplayProgress();
	for (let at = 1; at <= 5_000; at += 1) progress.written(at, at);
	progress.replayed(3_000);
	expect(progress.completeUntil).toBeUndefined();
	progress.replayed(4_500);
	expect(progress.completeUntil).toBe(4_500);
});

test('positions begin again after a failover', () => {
	const progress = createReplayProgress();
	progress.written(1_000, 900);
	progress.written(2_000, 100);
	progress.replayed(100);
	expect(progress.completeUntil).toBe(2_000);
});
