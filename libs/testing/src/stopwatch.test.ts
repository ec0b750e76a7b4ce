import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { startStopwatch } from './stopwatch.ts';

function standStill(durationMs: number): void {
	const endMs = performance.now() + durationMs;
	while (performance.now() < endMs);
}

test('what is waited for is counted, where the process stands still is not', async () => {
	const elapsedMs = startStopwatch();
	for (let turn = 0; turn < 20; turn += 1) await wait(10);
	standStill(1_000);
	await wait(10);
	const tookMs = elapsedMs();
	expect(tookMs).toBeGreaterThan(150);
	expect(tookMs).toBeLessThan(1_000);
	expect(elapsedMs).toThrow('stopped');
});
