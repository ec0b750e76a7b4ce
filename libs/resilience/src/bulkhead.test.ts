import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createBulkhead } from './limits.ts';

const never = new AbortController().signal;

describe('the bulkhead', () => {
	beforeEach(() => {
		jest.useFakeTimers();
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	test('admits its maximum at once, and the next call waits for a permit', async () => {
		const bulkhead = createBulkhead({ max: 2, waitingMax: 1 });
		const first = bulkhead.enter(1_000, never);
		expect(first).toBeInstanceOf(Function);
		expect(bulkhead.enter(1_000, never)).toBeInstanceOf(Function);
		const third = bulkhead.enter(1_000, never);
		expect(third).toBeInstanceOf(Promise);
		if (typeof first === 'function') first();
		expect(await third).toBeInstanceOf(Function);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('refuses at once when enough wait already', () => {
		const bulkhead = createBulkhead({ max: 1, waitingMax: 1 });
		void bulkhead.enter(1_000, never);
		void bulkhead.enter(1_000, never);
		expect(bulkhead.enter(1_000, never)).toBeUndefined();
	});

	test('waiting calls enter in the order of their arrival', async () => {
		const bulkhead = createBulkhead({ max: 1, waitingMax: 3 });
		const order: number[] = [];
		const first = bulkhead.enter(1_000, never);
		const rest = [1, 2, 3].map(async (number) => {
			const leave = await bulkhead.enter(1_000, never);
			order.push(number);
			leave?.();
		});
		if (typeof first === 'function') first();
		await Promise.all(rest);
		expect(order).toEqual([1, 2, 3]);
	});

	test('a wait ends when its time is over, and its place in the queue is free', async () => {
		const bulkhead = createBulkhead({ max: 1, waitingMax: 1 });
		const first = bulkhead.enter(1_000, never);
		const second = bulkhead.enter(1_000, never);
		jest.advanceTimersByTime(1_000);
		expect(await second).toBeUndefined();
		const third = bulkhead.enter(1_000, never);
		if (typeof first === 'function') first();
		expect(await third).toBeInstanceOf(Function);
	});

	test('a wait ends when the caller aborts, without a remaining timer or listener', async () => {
		const bulkhead = createBulkhead({ max: 1, waitingMax: 1 });
		const gone = new AbortController();
		const first = bulkhead.enter(1_000, never);
		const second = bulkhead.enter(1_000, gone.signal);
		gone.abort();
		expect(await second).toBeUndefined();
		expect(jest.getTimerCount()).toBe(0);
		if (typeof first === 'function') first();
		expect(bulkhead.enter(1_000, never)).toBeInstanceOf(Function);
	});

	test('leaving twice frees one place', () => {
		const bulkhead = createBulkhead({ max: 1, waitingMax: 0 });
		const first = bulkhead.enter(1_000, never);
		if (typeof first === 'function') {
			first();
			first();
		}
		expect(bulkhead.enter(1_000, never)).toBeDefined();
		expect(bulkhead.enter(1_000, never)).toBeUndefined();
	});
});
