import { describe, expect, jest, test } from '@jest/globals';
import { breakerUnderTest, settings } from '../test/breaker-under-test.ts';

const { breaker, transitions, admit, settle, succeed, fail, halfOpen } = breakerUnderTest();

describe('half-open', () => {
	test('admits one trial and nothing beside it', async () => {
		await halfOpen();
		expect(breaker.admits()).toBe(true);
		admit();
		expect(breaker.admits()).toBe(false);
		expect(breaker.admit()).toBeUndefined();
	});

	test('a trial that succeeds closes it', async () => {
		await halfOpen();
		await succeed(1);
		expect(breaker.view()).toMatchObject({ state: 'CLOSED', failureRate: undefined, nextTryAt: undefined });
		expect(transitions.map(([from, to]) => `${from} ${to}`)).toEqual([
			'CLOSED OPEN',
			'OPEN HALF_OPEN',
			'HALF_OPEN CLOSED',
		]);
	});

	test('a trial that fails opens it for the whole time again', async () => {
		await halfOpen();
		await fail(1);
		expect(breaker.view().state).toBe('OPEN');
		await jest.advanceTimersByTimeAsync(settings.openMs - 1);
		expect(breaker.view().state).toBe('OPEN');
		await jest.advanceTimersByTimeAsync(1);
		expect(breaker.view().state).toBe('HALF_OPEN');
	});

	test('an abandoned probe admits another one', async () => {
		await halfOpen();
		admit().abandoned();
		expect(breaker.view().state).toBe('HALF_OPEN');
		await succeed(1);
		expect(breaker.view().state).toBe('CLOSED');
	});

	test('an abandoned trial that is reported once more does not free the place of the next', async () => {
		await halfOpen();
		const first = admit();
		first.abandoned();
		admit();
		first.abandoned();
		first.succeeded();
		await settle();
		expect(breaker.admits()).toBe(false);
		expect(breaker.view().state).toBe('HALF_OPEN');
	});

	test('results of attempts from before it opened do not decide the trial', async () => {
		const late = [admit(), admit()];
		await halfOpen();
		late[0]?.succeeded();
		late[1]?.failed(new Error('late'));
		await settle();
		expect(breaker.view().state).toBe('HALF_OPEN');
		expect(breaker.admits()).toBe(true);
	});
});

describe('a probe whose response streams for long', () => {
	test('closes the breaker, and its end counts like that of any other attempt', async () => {
		await halfOpen();
		const probe = admit();
		probe.streaming();
		expect(breaker.view()).toMatchObject({ state: 'CLOSED', failureRate: undefined });
		probe.failed(new Error('cut off'));
		probe.failed(new Error('twice'));
		await settle();
		expect(breaker.view()).toMatchObject({ state: 'CLOSED', failureRate: 1 });
		await fail(settings.volume - 1);
		expect(breaker.view().state).toBe('OPEN');
	});

	test('decides nothing where it is not the half-open probe, or its breaker has changed', async () => {
		const early = admit();
		early.streaming();
		expect(breaker.view().failureRate).toBeUndefined();
		await halfOpen();
		early.streaming();
		expect(breaker.view().state).toBe('HALF_OPEN');
		expect(breaker.admits()).toBe(true);
	});
});

describe('after a recovery', () => {
	test('earlier failures do not count: opening again needs the whole volume', async () => {
		await halfOpen();
		await succeed(1);
		await fail(9);
		expect(breaker.view()).toMatchObject({ state: 'CLOSED', failureRate: 1 });
		await fail(1);
		expect(breaker.view().state).toBe('OPEN');
	});

	test('attempts that began before the breaker opened and end after it closed do not count', async () => {
		const late = Array.from({ length: 20 }, admit);
		await halfOpen();
		await succeed(1);
		for (const admission of late) admission.failed(new Error('late'));
		await settle();
		expect(breaker.view()).toMatchObject({ state: 'CLOSED', failureRate: undefined });
	});
});
