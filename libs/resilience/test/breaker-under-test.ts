import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { type Admission, type BreakerState, type CircuitBreaker, openCircuitBreaker } from '../src/index.ts';

export const settings = { windowMs: 30_000, volume: 10, failurePercent: 50, openMs: 10_000 };

/** When each test begins. */
export const start = new Date('2026-01-01T00:00:00.000Z');

export interface BreakerUnderTest {
	readonly breaker: CircuitBreaker;
	readonly transitions: readonly (readonly [from: BreakerState, to: BreakerState, cause: unknown])[];
	/** @throws Error where it admits nothing. */
	admit(): Admission;
	/** Waits until reports are counted, in the next microtasks. */
	settle(): Promise<void>;
	succeed(times: number): Promise<void>;
	fail(times: number, cause?: unknown): Promise<void>;
	openByFailures(): Promise<void>;
	halfOpen(): Promise<void>;
}

/** A breaker for every test of a file, new and closed, with the time in the test's hands (Jest's fake timers). */
export function breakerUnderTest(): BreakerUnderTest {
	let current: CircuitBreaker;
	const transitions: [BreakerState, BreakerState, unknown][] = [];
	beforeEach(() => {
		jest.useFakeTimers({ now: start });
		transitions.length = 0;
		current = openCircuitBreaker({
			settings,
			now: () => new Date(),
			onTransition: ({ from, to, cause }) => transitions.push([from, to, cause]),
		});
	});
	afterEach(() => {
		current.close();
		jest.useRealTimers();
	});
	const breaker: CircuitBreaker = {
		admits: () => current.admits(),
		admit: () => current.admit(),
		trip: (cause) => current.trip(cause),
		reset: () => current.reset(),
		view: () => current.view(),
		close: () => current.close(),
	};
	return { breaker, transitions, ...verbsOf(breaker) };
}

function verbsOf(breaker: CircuitBreaker): Omit<BreakerUnderTest, 'breaker' | 'transitions'> {
	const admit = (): Admission => {
		const admission = breaker.admit();
		if (admission === undefined) throw new Error('not admitted');
		return admission;
	};
	const settle = () => jest.advanceTimersByTimeAsync(0);
	const fail: BreakerUnderTest['fail'] = async (times, cause = new Error('refused')) => {
		for (let time = 0; time < times; time += 1) admit().failed(cause);
		await settle();
	};
	const openByFailures = async (): Promise<void> => {
		await fail(settings.volume);
		expect(breaker.view().state).toBe('OPEN');
	};
	return {
		admit,
		settle,
		succeed: async (times) => {
			for (let time = 0; time < times; time += 1) admit().succeeded();
			await settle();
		},
		fail,
		openByFailures,
		halfOpen: async () => {
			await openByFailures();
			await jest.advanceTimersByTimeAsync(settings.openMs);
			expect(breaker.view().state).toBe('HALF_OPEN');
		},
	};
}
