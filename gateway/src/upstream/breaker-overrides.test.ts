import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SharedText } from '@paddock/resilience';
import { silentLogger } from '@paddock/telemetry';
import { type BreakerOverrides, createBreakerOverrides } from './breaker-overrides.ts';
import type { OverrideChange } from './override-table.ts';

let overrides: BreakerOverrides;
let changes: OverrideChange[];
let timersLateMs: number;

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
	changes = [];
	timersLateMs = 0;
	overrides = createBreakerOverrides({
		now: () => new Date(),
		nowMs: () => performance.now() + timersLateMs,
		logger: silentLogger(),
		onChange: (change) => void changes.push(change),
	});
});

afterEach(async () => {
	await overrides.close();
	expect(jest.getTimerCount()).toBe(0);
	jest.useRealTimers();
});

function override(state: 'OPEN' | 'CLOSED', seconds = 60) {
	const at = new Date();
	return {
		state,
		reason: 'why',
		by: 'me',
		byName: 'Anna Huber',
		at,
		until: new Date(at.getTime() + seconds * 1000),
	};
}

const stateOf = (instance: string, context = 'horses') => overrides.of(context, instance)?.state;

describe('an override', () => {
	test('for a context applies to every instance of it and to no other context', async () => {
		await overrides.set({ context: 'horses' }, override('OPEN'));
		expect([stateOf('a'), stateOf('b'), stateOf('a', 'members')]).toEqual(['OPEN', 'OPEN', undefined]);
	});

	test('expires at its time and is reported once', async () => {
		await overrides.set({ context: 'horses' }, override('OPEN', 60));
		jest.advanceTimersByTime(59_999);
		expect(stateOf('a')).toBe('OPEN');
		jest.advanceTimersByTime(1);
		expect(stateOf('a')).toBeUndefined();
		expect(overrides.list()).toEqual([]);
		jest.advanceTimersByTime(600_000);
		expect(changes.map(({ to, cause }) => [to?.state, cause])).toEqual([
			['OPEN', 'why'],
			[undefined, 'expired'],
		]);
	});

	test('that has ended does not apply, even if its timer is late', async () => {
		await overrides.set({ context: 'horses' }, override('OPEN', 60));
		timersLateMs = 60_000;
		expect(stateOf('a')).toBeUndefined();
		expect(overrides.list()).toEqual([]);
	});

	test('replaced by another expires with that one', async () => {
		await overrides.set({ context: 'horses' }, override('OPEN', 60));
		await overrides.set({ context: 'horses' }, override('CLOSED', 600));
		jest.advanceTimersByTime(61_000);
		expect(stateOf('a')).toBe('CLOSED');
		expect(changes.map(({ from, to }) => [from?.state, to?.state])).toEqual([
			[undefined, 'OPEN'],
			['OPEN', 'CLOSED'],
		]);
	});

	test('for an instance takes precedence over an older one for its context', async () => {
		await overrides.set({ context: 'horses' }, override('OPEN'));
		await overrides.set({ context: 'horses', instance: 'a' }, override('CLOSED'));
		expect([stateOf('a'), stateOf('b')]).toEqual(['CLOSED', 'OPEN']);
	});

	test('for a context replaces older ones for its instances', async () => {
		await overrides.set({ context: 'horses', instance: 'a' }, override('CLOSED'));
		await overrides.set({ context: 'horses' }, override('OPEN'));
		expect(stateOf('a')).toBe('OPEN');
		expect(overrides.list()).toHaveLength(1);
	});

	test('removed for an instance leaves the one for its context', async () => {
		await overrides.set({ context: 'horses' }, override('OPEN'));
		await overrides.set({ context: 'horses', instance: 'a' }, override('CLOSED'));
		await overrides.remove({ context: 'horses', instance: 'a' }, 'done');
		expect([stateOf('a'), stateOf('b')]).toEqual(['OPEN', 'OPEN']);
	});

	test('removed for a context ends all in it and no others', async () => {
		await overrides.set({ context: 'horses' }, override('OPEN'));
		await overrides.set({ context: 'horses', instance: 'a' }, override('CLOSED'));
		await overrides.set({ context: 'members' }, override('OPEN'));
		await overrides.remove({ context: 'horses' }, 'done');
		expect([stateOf('a'), stateOf('b'), stateOf('a', 'members')]).toEqual([undefined, undefined, 'OPEN']);
	});

	test('that was stored although the response was lost is not a conflict', async () => {
		let stored: { text: string | undefined; version: string } = { text: undefined, version: '' };
		const store: SharedText = {
			follow: async () => {},
			read: async () => stored,
			// After a failover the write is repeated, and the repetition finds the new version.
			write: async (text) => {
				const isLost = text !== stored.text;
				stored = { text, version: text };
				return !isLost;
			},
			stale: () => false,
			close: async () => {},
		};
		const shared = createBreakerOverrides({
			...{ now: () => new Date(), logger: silentLogger(), onChange: () => undefined },
			store: { kind: 'consul', text: store },
		});
		await shared.set({ context: 'horses' }, override('OPEN'));
		expect(shared.of('horses', 'a')?.state).toBe('OPEN');
		await shared.remove({ context: 'horses' }, 'done');
		expect(shared.list()).toEqual([]);
		await shared.close();
	});

	test('that is stored unreadably is logged once, although it is read again and again', async () => {
		const logged: string[] = [];
		const logger = silentLogger();
		logger.error = (message: unknown) => {
			logged.push(String(message));
			return logger;
		};
		const read = async (text: string) => ({ text, version: text });
		const store: SharedText = {
			follow: async (listener) => {
				for (const text of ['{}', '{}', '[]', '[]', '[]']) await listener(await read(text));
			},
			read: () => read('[]'),
			write: async () => true,
			stale: () => false,
			close: async () => {},
		};
		const shared = createBreakerOverrides({
			...{ now: () => new Date(), logger, onChange: () => undefined },
			store: { kind: 'redis', text: store },
		});
		await shared.loaded;
		expect(logged).toHaveLength(2);
		await shared.close();
	});

	test('that does not exist is removed without an effect', async () => {
		await overrides.remove({ context: 'horses' }, 'done');
		expect(changes).toEqual([]);
	});
});
