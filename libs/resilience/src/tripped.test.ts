import { describe, expect, jest, test } from '@jest/globals';
import { breakerUnderTest, settings } from '../test/breaker-under-test.ts';
import { openCircuitBreaker } from './index.ts';

const { breaker, transitions, admit, settle, succeed, fail, openByFailures, halfOpen } = breakerUnderTest();
const cause = new Error('no response to health probes');

describe('a breaker that is tripped', () => {
	test('is open at once, whatever its results were, and names the cause', async () => {
		await succeed(20);
		breaker.trip(cause);
		breaker.trip(new Error('again'));
		expect(breaker.admits()).toBe(false);
		expect(breaker.view()).toMatchObject({ state: 'OPEN', nextTryAt: expect.any(Date) });
		expect(transitions).toEqual([['CLOSED', 'OPEN', cause]]);
	});

	test('ignores the results of attempts from before', async () => {
		const before = admit();
		breaker.trip(cause);
		before.succeeded();
		await settle();
		expect(breaker.view().state).toBe('OPEN');
	});

	test('is closed by a reset, with an empty window', async () => {
		await fail(settings.volume - 1);
		breaker.trip(cause);
		breaker.reset();
		await fail(1);
		expect(breaker.view().state).toBe('CLOSED');
		expect(transitions.map(([from, to]) => `${from} ${to}`)).toEqual(['CLOSED OPEN', 'OPEN CLOSED']);
	});

	test('becomes half-open as any other, and a failure then counts as one of requests', async () => {
		breaker.trip(cause);
		await jest.advanceTimersByTimeAsync(settings.openMs);
		expect(breaker.view().state).toBe('HALF_OPEN');
		await fail(1);
		breaker.reset();
		expect(breaker.view().state).toBe('OPEN');
	});

	test('is closed by a reset while it is half-open', async () => {
		breaker.trip(cause);
		await jest.advanceTimersByTimeAsync(settings.openMs);
		breaker.reset();
		expect(breaker.view().state).toBe('CLOSED');
	});

	test('stays closed after a reset, although a health probe from before fails', async () => {
		const probe = Promise.withResolvers<boolean>();
		const own = openCircuitBreaker({ settings, now: () => new Date(), mayProbe: () => probe.promise });
		own.trip(cause);
		await jest.advanceTimersByTimeAsync(settings.openMs);
		own.reset();
		probe.resolve(false);
		await settle();
		expect(own.view().state).toBe('CLOSED');
		own.close();
	});
});

describe('a breaker that failures have opened', () => {
	test('is neither tripped nor reset', async () => {
		await openByFailures();
		breaker.trip(cause);
		breaker.reset();
		expect(breaker.view().state).toBe('OPEN');
	});

	test('is not reset while half-open', async () => {
		await halfOpen();
		breaker.trip(cause);
		breaker.reset();
		expect(breaker.view().state).toBe('HALF_OPEN');
	});
});
