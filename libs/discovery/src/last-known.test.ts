import { describe, expect, test } from '@jest/globals';
import { createLastKnown } from './last-known.ts';
import { instanceAt } from './registry.ts';

const minuteMs = 60_000;
const one = instanceAt('127.0.0.1', 7001);
const two = instanceAt('127.0.0.1', 7002);

function setUp() {
	let nowMs = Date.parse('2026-03-01T08:00:00Z');
	const lastKnown = createLastKnown({ now: () => new Date(nowMs), keepLastKnownMs: 10 * minuteMs });
	return {
		lastKnown,
		now: () => new Date(nowMs),
		pass: (ms: number) => {
			nowMs += ms;
		},
	};
}

describe('the last known instances', () => {
	test('before any response nothing is known and nothing is stale', () => {
		const { lastKnown } = setUp();
		expect(lastKnown.responded()).toBe(false);
		expect(lastKnown.snapshot()).toEqual({
			instances: [],
			stale: false,
			unlisted: false,
			lastResponseAt: undefined,
			rejected: 0,
		});
	});

	test('an empty response is believed where nothing was known', () => {
		const { lastKnown, now } = setUp();
		lastKnown.accept([], 0);
		expect(lastKnown.responded()).toBe(true);
		expect(lastKnown.snapshot()).toEqual({
			instances: [],
			stale: false,
			unlisted: false,
			lastResponseAt: now(),
			rejected: 0,
		});
	});

	test('stay for ten minutes of silence, with the age of the last response, then they are dropped', () => {
		const { lastKnown, now, pass } = setUp();
		lastKnown.accept([one], 0);
		const vouchedAt = now();
		pass(10 * minuteMs);
		lastKnown.fail();
		expect(lastKnown.snapshot()).toEqual({
			instances: [one],
			stale: true,
			unlisted: false,
			lastResponseAt: vouchedAt,
			rejected: 0,
		});
		pass(1);
		expect(lastKnown.snapshot()).toEqual({
			instances: [],
			stale: true,
			unlisted: false,
			lastResponseAt: vouchedAt,
			rejected: 0,
		});
	});

	test('stay for ten minutes of empty responses; after that empty is the truth', () => {
		const { lastKnown, now, pass } = setUp();
		lastKnown.accept([one], 0);
		const vouchedAt = now();
		pass(9 * minuteMs);
		lastKnown.accept([], 2);
		expect(lastKnown.snapshot()).toEqual({
			instances: [one],
			stale: true,
			unlisted: true,
			lastResponseAt: vouchedAt,
			rejected: 2,
		});
		pass(2 * minuteMs);
		lastKnown.accept([], 0);
		expect(lastKnown.snapshot()).toEqual({
			instances: [],
			stale: false,
			unlisted: false,
			lastResponseAt: now(),
			rejected: 0,
		});
	});

	test('an empty response between failures does not make them young again', () => {
		const { lastKnown, pass } = setUp();
		lastKnown.accept([one], 0);
		pass(6 * minuteMs);
		lastKnown.fail();
		lastKnown.accept([], 0);
		pass(5 * minuteMs);
		lastKnown.fail();
		expect(lastKnown.snapshot()).toMatchObject({ instances: [], stale: true });
	});

	test('a non-empty response replaces them, and instances that it does not list are removed', () => {
		const { lastKnown, pass } = setUp();
		lastKnown.accept([one, two], 0);
		lastKnown.fail();
		pass(minuteMs);
		lastKnown.accept([two], 0);
		expect(lastKnown.snapshot()).toMatchObject({ instances: [two], stale: false });
	});

	test('of an earlier process are used, stale, once the registry has failed; a response replaces them', () => {
		const { now, pass } = setUp();
		const confirmedAt = new Date(now().getTime() - 9 * minuteMs);
		const restored = { instances: [one], confirmedAt };
		const lastKnown = createLastKnown({ now, keepLastKnownMs: 10 * minuteMs, restored });
		expect(lastKnown.responded()).toBe(false);
		lastKnown.fail();
		expect(lastKnown.responded()).toBe(true);
		expect(lastKnown.snapshot()).toMatchObject({
			instances: [one],
			stale: true,
			lastResponseAt: confirmedAt,
		});
		pass(2 * minuteMs);
		expect(lastKnown.snapshot()).toMatchObject({ instances: [], stale: true });
		lastKnown.accept([two], 0);
		expect(lastKnown.snapshot()).toMatchObject({ instances: [two], stale: false });
	});
});
