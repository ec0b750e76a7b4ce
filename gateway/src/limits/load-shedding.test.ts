import { describe, expect, it } from '@jest/globals';
import { watchEventLoopDelay } from './load-shedding.ts';

const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

function block(ms: number): void {
	const end = performance.now() + ms;
	while (performance.now() < end);
}

describe('event-loop delay', () => {
	it('sees a loop that is kept busy, and that it is free again', async () => {
		const delay = watchEventLoopDelay();
		try {
			expect(delay.currentMs()).toBe(0);
			const busyUntil = performance.now() + 3_000;
			while (delay.currentMs() < 40 && performance.now() < busyUntil) {
				block(100);
				await pause();
			}
			const busyMs = delay.currentMs();
			expect(busyMs).toBeGreaterThanOrEqual(40);
			const freeUntil = performance.now() + 5_000;
			while (delay.currentMs() > 20 && performance.now() < freeUntil) await pause();
			expect(delay.currentMs()).toBeLessThanOrEqual(20);
		} finally {
			delay.close();
		}
	});

	// The machine gave the process no CPU for a moment, and the gateway refused requests for half a second after that.
	it('is not reported for a single stall, which is over when it is measured', async () => {
		const delay = watchEventLoopDelay();
		try {
			// Few delays have been measured in this half second: the stall is their mean.
			for (const until = performance.now() + 60; performance.now() < until; ) await pause();
			block(2_500);
			const seen: number[] = [];
			for (const until = performance.now() + 1_200; performance.now() < until; ) {
				await pause();
				seen.push(delay.currentMs());
			}
			expect(Math.max(...seen)).toBeLessThan(500);
		} finally {
			delay.close();
		}
	});
});
