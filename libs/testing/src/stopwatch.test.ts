import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { startStopwatch } from './stopwatch.ts';

function blockEventLoop(durationMs: number): void {
	const endMs = performance.now() + durationMs;
	while (performance.now() < endMs);
}

test('waiting counts, a blocked event loop does not', async () => {
	const elapsedMs = startStopwatch();
	for (let turn = 0; turn < 20; turn += 1) await wait(10);
	blockEventLoop(1_000);
	await wait(10);
	const tookMs = elapsedMs();
	expect(tookMs).toBeGreaterThan(150);
	expect(tookMs).toBeLessThan(1_000);
	expect(elapsedMs).toThrow('stopped');
});
