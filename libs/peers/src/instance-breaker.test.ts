import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createInstanceBreaker, type InstanceBreaker } from './instance-breaker.ts';

const settings = { windowMs: 10_000, volume: 4, failurePercent: 50, openMs: 5_000 };
let breaker: InstanceBreaker;
let states: string[];

beforeEach(() => {
	jest.useFakeTimers();
	states = [];
	breaker = createInstanceBreaker({
		settings,
		now: () => new Date(),
		onChange: (state) => states.push(state),
	});
});
afterEach(() => {
	breaker.close();
	jest.useRealTimers();
});

async function report(end: 'succeeded' | 'failed' | 'abandoned', times = 1): Promise<void> {
	for (let count = 0; count < times; count += 1) breaker.admit()?.[end](new Error('broken'));
	// opossum learns of a result when its promise settles.
	await jest.advanceTimersByTimeAsync(0);
}

async function open(): Promise<void> {
	await report('failed', 4);
	expect(states).toEqual(['open']);
}

describe('the breaker of an instance', () => {
	test('stays closed below its volume, and when half of the results are good', async () => {
		await report('failed', 3);
		await report('succeeded', 3);
		expect([states, breaker.admits(), breaker.waitMs()]).toEqual([[], true, 0]);
	});

	test('forgets failures that are older than its window', async () => {
		await report('failed', 3);
		await jest.advanceTimersByTimeAsync(settings.windowMs + 1_000);
		await report('failed');
		expect(states).toEqual([]);
	});

	test('opens, and says for how long', async () => {
		await open();
		await jest.advanceTimersByTimeAsync(2_000);
		expect([breaker.admit(), breaker.waitMs()]).toEqual([undefined, 3_000]);
	});

	test('lets a single trial through, which closes it with a window that is empty', async () => {
		await open();
		await jest.advanceTimersByTimeAsync(settings.openMs);
		const trial = breaker.admit();
		expect([trial === undefined, breaker.admit()]).toEqual([false, undefined]);
		trial?.succeeded();
		await jest.advanceTimersByTimeAsync(0);
		await report('failed', 3);
		expect([states, breaker.admits()]).toEqual([['open', 'halfOpen', 'closed'], true]);
	});

	test('opens again when the trial fails', async () => {
		await open();
		await jest.advanceTimersByTimeAsync(settings.openMs);
		await report('failed');
		expect([states, breaker.admits()]).toEqual([['open', 'halfOpen', 'open'], false]);
	});

	test('lets another trial through when one was given up', async () => {
		await open();
		await jest.advanceTimersByTimeAsync(settings.openMs);
		await report('abandoned');
		expect(breaker.admit()).toBeDefined();
	});

	test('counts the first end of an attempt only, and none from before it opened', async () => {
		const early = breaker.admit();
		await open();
		await jest.advanceTimersByTimeAsync(settings.openMs);
		early?.failed(new Error('late'));
		const trial = breaker.admit();
		trial?.succeeded();
		trial?.failed(new Error('twice'));
		await jest.advanceTimersByTimeAsync(0);
		expect(states).toEqual(['open', 'halfOpen', 'closed']);
	});
});
