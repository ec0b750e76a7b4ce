import { describe, expect, jest, test } from '@jest/globals';
import { breakerUnderTest, settings, start } from '../test/breaker-under-test.ts';
import { openCircuitBreaker } from './index.ts';

const { breaker, transitions, admit, settle, succeed, fail, openByFailures, halfOpen } = breakerUnderTest();

describe('closed', () => {
	test('fewer results than the volume never open it, however bad', async () => {
		await fail(settings.volume - 1);
		expect(breaker.view()).toMatchObject({ state: 'CLOSED', failureRate: 1 });
		expect(breaker.admits()).toBe(true);
	});

	test('the failure that completes the volume opens it', async () => {
		await fail(settings.volume);
		expect(breaker.view().state).toBe('OPEN');
		expect(breaker.admits()).toBe(false);
		expect(breaker.admit()).toBeUndefined();
	});

	test('exactly the share of failures does not open it, one more does', async () => {
		await succeed(5);
		await fail(5);
		expect(breaker.view()).toMatchObject({ state: 'CLOSED', failureRate: 0.5 });
		await fail(1);
		expect(breaker.view().state).toBe('OPEN');
	});

	test('successes in between keep it closed for as long as failures are the minority', async () => {
		for (let round = 0; round < 20; round += 1) {
			await succeed(2);
			await fail(1);
		}
		expect(breaker.view().state).toBe('CLOSED');
		expect(transitions).toEqual([]);
	});

	test('results older than the window do not count', async () => {
		await fail(9);
		await jest.advanceTimersByTimeAsync(settings.windowMs);
		expect(breaker.view().failureRate).toBeUndefined();
		await fail(9);
		expect(breaker.view().state).toBe('CLOSED');
		await fail(1);
		expect(breaker.view().state).toBe('OPEN');
	});

	test('results of a moment before the window is over still count', async () => {
		await fail(9);
		await jest.advanceTimersByTimeAsync(settings.windowMs - settings.windowMs / 10 - 1);
		await fail(1);
		expect(breaker.view().state).toBe('OPEN');
	});

	test('a burst that fails late, each attempt nearly as long as the window, opens it', async () => {
		const burst = Array.from({ length: 20 }, admit);
		await jest.advanceTimersByTimeAsync(settings.windowMs - 1);
		for (const admission of burst) admission.failed(new Error('time-out'));
		await settle();
		expect(breaker.view().state).toBe('OPEN');
		expect(transitions).toHaveLength(1);
	});

	test('an attempt counts once, however often and however differently it is reported', async () => {
		const admission = admit();
		for (let time = 0; time < 20; time += 1) admission.failed(new Error('again'));
		admission.succeeded();
		admission.abandoned();
		await fail(8);
		expect(breaker.view()).toMatchObject({ state: 'CLOSED', failureRate: 1 });
	});

	test('abandoned attempts are neither failures nor successes', async () => {
		for (let time = 0; time < 100; time += 1) admit().abandoned();
		await settle();
		expect(breaker.view().failureRate).toBeUndefined();
		await fail(10);
		expect(breaker.view().state).toBe('OPEN');
	});
});

describe('open', () => {
	test('says since when, why, and when it will try', async () => {
		await jest.advanceTimersByTimeAsync(1_234);
		const cause = new Error('the last straw');
		await fail(9);
		await fail(1, cause);
		const since = new Date(start.getTime() + 1_234);
		expect(breaker.view()).toEqual({
			state: 'OPEN',
			since,
			failureRate: 1,
			nextTryAt: new Date(since.getTime() + settings.openMs),
		});
		expect(transitions).toEqual([['CLOSED', 'OPEN', cause]]);
	});

	test('since and nextTryAt come from one reading of the clock', async () => {
		let reading = start.getTime();
		const slow = openCircuitBreaker({
			settings,
			now: () => {
				reading += 1;
				return new Date(reading);
			},
		});
		for (let time = 0; time < settings.volume; time += 1) slow.admit()?.failed(new Error('refused'));
		await settle();
		const { since, nextTryAt } = slow.view();
		slow.close();
		expect(nextTryAt?.getTime()).toBe(since.getTime() + settings.openMs);
	});

	test('stays open for exactly its time', async () => {
		await openByFailures();
		await jest.advanceTimersByTimeAsync(settings.openMs - 1);
		expect(breaker.view().state).toBe('OPEN');
		await jest.advanceTimersByTimeAsync(1);
		expect(breaker.view().state).toBe('HALF_OPEN');
	});

	test('attempts in flight when it opened neither close it nor extend the reset timeout', async () => {
		const late = [admit(), admit()];
		await openByFailures();
		await jest.advanceTimersByTimeAsync(5_000);
		late[0]?.succeeded();
		late[1]?.failed(new Error('late'));
		await settle();
		expect(breaker.view().state).toBe('OPEN');
		await jest.advanceTimersByTimeAsync(5_000);
		expect(breaker.view().state).toBe('HALF_OPEN');
	});
});

describe('close', () => {
	test.each(['CLOSED', 'OPEN', 'HALF_OPEN'] as const)('leaves no timer behind when %s', async (state) => {
		if (state === 'OPEN') await openByFailures();
		if (state === 'HALF_OPEN') await halfOpen();
		expect(jest.getTimerCount()).toBeGreaterThan(0);
		breaker.close();
		expect(jest.getTimerCount()).toBe(0);
	});

	test('later reports have no effect and do not throw', async () => {
		const late = Array.from({ length: 20 }, admit);
		breaker.close();
		for (const admission of late) admission.failed(new Error('late'));
		await settle();
		expect(transitions).toEqual([]);
		expect(jest.getTimerCount()).toBe(0);
	});
});
