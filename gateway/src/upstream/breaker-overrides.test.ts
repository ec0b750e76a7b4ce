import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SharedValues, StoredValue, StoredValues } from '@paddock/resilience';
import { silentLogger } from '@paddock/telemetry';
import { type BreakerOverrides, openBreakerOverrides } from './breaker-overrides.ts';
import type { OverrideChange } from './override-table.ts';

let overrides: BreakerOverrides;
let changes: OverrideChange[];
let timersLateMs: number;
let services: Map<string, string>;

const done = { reason: 'done', by: 'me', at: new Date(0) };

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
	changes = [];
	timersLateMs = 0;
	services = new Map(['horses', 'members'].map((name) => [name, `${name}-service`]));
	overrides = openBreakerOverrides({
		now: () => new Date(),
		nowMs: () => performance.now() + timersLateMs,
		logger: silentLogger(),
		serviceOf: (context) => services.get(context),
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
		await overrides.remove({ context: 'horses', instance: 'a' }, done);
		expect([stateOf('a'), stateOf('b')]).toEqual(['OPEN', 'OPEN']);
	});

	test('removed for a context ends all in it and no others', async () => {
		await overrides.set({ context: 'horses' }, override('OPEN'));
		await overrides.set({ context: 'horses', instance: 'a' }, override('CLOSED'));
		await overrides.set({ context: 'members' }, override('OPEN'));
		await overrides.remove({ context: 'horses' }, done);
		expect([stateOf('a'), stateOf('b'), stateOf('a', 'members')]).toEqual([undefined, undefined, 'OPEN']);
	});

	test('that does not exist is removed without an effect', async () => {
		await overrides.remove({ context: 'horses' }, done);
		expect(changes).toEqual([]);
	});
});

/** A store of this process, and gateways that share it. */
function sharing(options: { readonly logger?: ReturnType<typeof silentLogger> } = {}) {
	const stored = new Map<string, StoredValue>();
	const listeners: ((values: StoredValues) => Promise<void>)[] = [];
	let writes = 0;
	let loses = false;
	const values = (): SharedValues => ({
		follow: async (listener) => {
			listeners.push(listener);
			await listener(new Map(stored));
		},
		read: async () => new Map(stored),
		write: async (key, text, version) => {
			if (stored.get(key)?.version !== version) return false;
			writes += 1;
			if (text === undefined) stored.delete(key);
			else stored.set(key, { text, version: String(writes) });
			return !loses;
		},
		stale: () => false,
		close: async () => {},
	});
	const opened: BreakerOverrides[] = [];
	return {
		stored,
		/** After a failover a write is repeated, and the repetition finds the new version. */
		loseResponses: () => {
			loses = true;
		},
		open: () => {
			const gateway = openBreakerOverrides({
				...{ now: () => new Date(), logger: options.logger ?? silentLogger() },
				serviceOf: (context) => services.get(context),
				onChange: (change) => void changes.push(change),
				store: { kind: 'redis', values: values() },
			});
			opened.push(gateway);
			return gateway;
		},
		follow: async () => {
			for (const listener of listeners) await listener(new Map(stored));
		},
		close: async () => {
			for (const gateway of opened) await gateway.close();
		},
	};
}

describe('stored overrides', () => {
	let store: ReturnType<typeof sharing>;
	beforeEach(() => {
		store = sharing();
	});
	afterEach(() => store.close());

	test('that were stored although the response was lost are not a conflict', async () => {
		const one = store.open();
		store.loseResponses();
		await one.set({ context: 'horses' }, override('OPEN'));
		expect(one.of('horses', 'a')?.state).toBe('OPEN');
		await one.remove({ context: 'horses' }, done);
		expect(one.list()).toEqual([]);
	});

	test('do not return when the one for all of the context that replaced them has ended', async () => {
		const [one, other] = [store.open(), store.open()];
		await one.set({ context: 'horses', instance: 'a' }, override('CLOSED', 600));
		await one.set({ context: 'horses' }, override('OPEN', 60));
		await store.follow();
		expect(other.list().map(({ target, state }) => [target, state])).toEqual([
			[{ context: 'horses' }, 'OPEN'],
		]);
		jest.advanceTimersByTime(61_000);
		await store.follow();
		expect([one.list(), other.list(), store.open().list()]).toEqual([[], [], []]);
	});

	test('that were removed stay so at a gateway that starts later, whatever its clock says of their order', async () => {
		const one = store.open();
		await one.set({ context: 'horses', instance: 'a' }, { ...override('OPEN', 600), at: new Date(30_000) });
		await one.remove({ context: 'horses' }, done);
		const later = store.open();
		await later.loaded;
		expect([one.list(), later.list()]).toEqual([[], []]);
		expect(changes.at(-1)).toMatchObject({ to: undefined, cause: 'done' });
	});

	test('of different targets, decided at once at one gateway, all apply at once', async () => {
		const one = store.open();
		await Promise.all([
			one.set({ context: 'horses' }, override('OPEN')),
			one.set({ context: 'members' }, override('OPEN')),
		]);
		expect(one.list()).toHaveLength(2);
		await expect(
			Promise.all([
				one.set({ context: 'horses' }, override('CLOSED')),
				one.set({ context: 'horses' }, override('CLOSED', 30)),
			]),
		).rejects.toMatchObject({ code: 'CONFLICT' });
	});

	test('that the store has lost are stored again', async () => {
		const one = store.open();
		await one.set({ context: 'horses' }, override('OPEN'));
		store.stored.clear();
		await store.follow();
		const later = store.open();
		await later.loaded;
		expect(later.of('horses', 'a')?.state).toBe('OPEN');
	});

	test('of a context that is gone do not apply, nor to another service that gets its name', async () => {
		const one = store.open();
		await one.set({ context: 'horses' }, override('OPEN'));
		const rename = (context: string, service: string | undefined): void => {
			if (service === undefined) services.delete(context);
			else services.set(context, service);
			one.follow();
		};
		rename('horses', undefined);
		expect(one.list()).toEqual([]);
		expect(changes.at(-1)).toMatchObject({ to: undefined, cause: 'the context is gone' });
		rename('horses', 'ponies-service');
		await store.follow();
		expect(one.list()).toEqual([]);
		rename('horses', 'horses-service');
		expect(one.of('horses', 'a')?.state).toBe('OPEN');
	});

	test('are removed from the store when they have long ended', async () => {
		const one = store.open();
		await one.set({ context: 'horses' }, override('OPEN', 60));
		jest.advanceTimersByTime(4_000_000);
		await one.set({ context: 'members' }, override('OPEN', 60));
		expect([...store.stored.keys()]).toEqual(['members']);
	});

	test('of the one document of former versions apply, and are stored as decisions of their own', async () => {
		const { at, until, ...rest } = override('OPEN', 600);
		const former = {
			overrides: [
				{ ...rest, at: at.toISOString(), until: until.toISOString(), target: { context: 'horses' } },
			],
			removal: '',
		};
		store.stored.set('', { text: JSON.stringify(former), version: '1' });
		const one = store.open();
		await one.loaded;
		expect(one.of('horses', 'a')?.state).toBe('OPEN');
		expect([...store.stored.keys()]).toEqual(['', 'horses']);
		await one.remove({ context: 'horses' }, done);
		const later = store.open();
		await later.loaded;
		expect([one.list(), later.list()]).toEqual([[], []]);
	});

	test.each(['the document', 'the decision'])(
		'of which the newest applies, also beside the document of former versions, with %s first',
		async (first) => {
			const one = store.open();
			await one.set({ context: 'horses' }, override('CLOSED', 600));
			const decision = [...store.stored];
			const { at: _at, until, ...rest } = override('OPEN', 600);
			const former = (at: number) => ({
				target: { context: 'horses' },
				...{ ...rest, at: new Date(at).toISOString(), until: until.toISOString() },
			});
			for (const [at, state] of [
				[-1_000, 'CLOSED'],
				[1_000, 'OPEN'],
			] as const) {
				const text = JSON.stringify({ overrides: [former(at)], removal: '' });
				const document = ['', { text, version: String(at) }] as const;
				store.stored.clear();
				for (const [key, value] of first === 'the document'
					? [document, ...decision]
					: [...decision, document])
					store.stored.set(key, value);
				const later = store.open();
				await later.loaded;
				expect(later.of('horses', 'a')?.state).toBe(state);
			}
		},
	);

	test('for an instance apply also if the clock of the gateway that set the one for its context is ahead', async () => {
		const [one, other] = [store.open(), store.open()];
		await one.set({ context: 'horses' }, { ...override('OPEN', 600), at: new Date(30_000) });
		await store.follow();
		await other.set({ context: 'horses', instance: 'a' }, override('CLOSED', 600));
		await store.follow();
		for (const gateway of [one, other, store.open()]) {
			await gateway.loaded;
			expect([gateway.of('horses', 'a')?.state, gateway.of('horses', 'b')?.state]).toEqual([
				'CLOSED',
				'OPEN',
			]);
		}
		await other.remove({ context: 'horses', instance: 'a' }, done);
		await store.follow();
		expect([one.of('horses', 'a')?.state, other.of('horses', 'a')?.state]).toEqual(['OPEN', 'OPEN']);
	});

	test('that are not readable are logged once each, and the last known ones stay until one is set', async () => {
		const logged: string[] = [];
		const logger = silentLogger();
		logger.error = (message: unknown) => {
			logged.push(String(message));
			return logger;
		};
		const other = sharing({ logger });
		const one = other.open();
		await one.set({ context: 'horses' }, override('OPEN', 600));
		for (const text of ['{}', '{}', '[]', '[]']) {
			other.stored.set('horses', { text, version: text });
			await other.follow();
		}
		expect(logged).toHaveLength(2);
		expect(one.of('horses', 'a')?.state).toBe('OPEN');
		await one.set({ context: 'horses' }, override('CLOSED', 600));
		expect(other.open().of('horses', 'a')?.state).toBe('CLOSED');
		await other.close();
	});
});
