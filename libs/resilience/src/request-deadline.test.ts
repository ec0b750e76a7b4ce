import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { remainingMs, withDeadline } from './request-deadline.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test.each([
	['a fifth of a short time', 1_000, 800],
	['half a second of a long one', 60_000, 59_500],
])('the margin is %s', (_name, ms, waits) => {
	expect(withDeadline(ms, remainingMs)).toBe(waits);
	expect(remainingMs()).toBeUndefined();
});

// Regression: each wait left a fifth of what remained, so that the last of several ended with the caller's patience.
test('waits one after the other leave the whole margin', () => {
	withDeadline(1_000, () => {
		jest.advanceTimersByTime(700);
		expect(remainingMs()).toBe(100);
		jest.advanceTimersByTime(100);
		expect(remainingMs()).toBe(0);
		jest.advanceTimersByTime(100);
		expect(remainingMs()).toBe(0);
	});
});
