import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { openRetention } from './instance-set.ts';

let disposed: string[];

beforeEach(() => {
	disposed = [];
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const open = (max = 10) =>
	openRetention<string>({ retainMs: 1_000, max, dispose: (value) => void disposed.push(value) });

test('a value is returned within its time, once, and not disposed of', () => {
	const retention = open();
	retention.keep('a', 'one');
	jest.advanceTimersByTime(999);
	expect([retention.take('a'), retention.take('a')]).toEqual(['one', undefined]);
	jest.advanceTimersByTime(10_000);
	expect(disposed).toEqual([]);
	expect(jest.getTimerCount()).toBe(0);
});

test('after its time it is disposed of', () => {
	const retention = open();
	retention.keep('a', 'one');
	jest.advanceTimersByTime(1_000);
	expect([retention.take('a'), disposed]).toEqual([undefined, ['one']]);
});

test('past the limit, under the same key and at the end values are disposed of', () => {
	const retention = open(2);
	for (const name of ['one', 'two', 'three']) retention.keep(name, name);
	expect(disposed).toEqual(['one']);
	retention.keep('two', 'other');
	expect(disposed).toEqual(['one', 'two']);
	retention.close();
	expect(disposed).toEqual(['one', 'two', 'three', 'other']);
	expect(jest.getTimerCount()).toBe(0);
});
