import { describe, expect, test } from '@jest/globals';
import { createRetryBudget } from './limits.ts';

describe('the retry budget', () => {
	test('allows its minimum, however little is going on', () => {
		const budget = createRetryBudget({ percent: 20, min: 3 });
		expect([budget.retry(), budget.retry(), budget.retry()]).not.toContain(undefined);
		expect(budget.retry()).toBeUndefined();
	});

	test('grows with the requests in flight', () => {
		const budget = createRetryBudget({ percent: 20, min: 3 });
		for (let request = 0; request < 100; request += 1) budget.begin();
		const granted = Array.from({ length: 50 }, () => budget.retry()).filter((end) => end !== undefined);
		expect(granted).toHaveLength(20);
	});

	test('shrinks when requests end', () => {
		const budget = createRetryBudget({ percent: 20, min: 0 });
		const ends = Array.from({ length: 10 }, () => budget.begin());
		expect(budget.retry()).toBeDefined();
		for (const end of ends) end();
		expect(budget.retry()).toBeUndefined();
	});

	test('a retry that ends admits another', () => {
		const budget = createRetryBudget({ percent: 0, min: 1 });
		const end = budget.retry();
		expect(budget.retry()).toBeUndefined();
		end?.();
		expect(budget.retry()).toBeDefined();
	});

	test('ending twice releases once', () => {
		const budget = createRetryBudget({ percent: 0, min: 1 });
		const end = budget.retry();
		end?.();
		end?.();
		expect(budget.retry()).toBeDefined();
		expect(budget.retry()).toBeUndefined();
	});

	test('a request that ends twice is subtracted once', () => {
		const budget = createRetryBudget({ percent: 100, min: 0 });
		const [end] = [budget.begin(), budget.begin()];
		end();
		end();
		expect(budget.retry()).toBeDefined();
		expect(budget.retry()).toBeUndefined();
	});

	test('no retry if both are 0', () => {
		const budget = createRetryBudget({ percent: 0, min: 0 });
		for (let request = 0; request < 100; request += 1) budget.begin();
		expect(budget.retry()).toBeUndefined();
	});
});
