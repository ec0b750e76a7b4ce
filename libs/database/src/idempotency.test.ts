import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import { createDatabase, type Database } from './database.ts';
import {
	findResponse,
	type Idempotent,
	idempotencyKeys,
	type Keyed,
	keyLifetimeMs,
	once,
	takeKeys,
} from './idempotency.ts';
import { migrateToLatest } from './migrate-to-latest.ts';

interface Schema extends Idempotent {
	idempotencyKeys: { createdAt: Date };
	effects: { id: string; name: string };
}

let own: TestDatabase;
let db: Database<Schema>;

beforeAll(async () => {
	own = await createTestDatabase({ name: 'empty', prepare: async () => {} });
	db = createDatabase<Schema>({
		url: own.url,
		applicationName: 'test',
		logger: silentLogger(),
		poolMax: 20,
	});
	const effects = {
		up: async (to: Database<unknown>) => {
			await sql`create table effects (id uuid primary key default gen_random_uuid(), name text not null)`.execute(
				to,
			);
		},
	};
	await migrateToLatest(db, { '0001-keys': idempotencyKeys, '0002-effects': effects }, silentLogger());
});

afterAll(async () => {
	await db.destroy();
	await own.drop();
});

const now = new Date('2026-03-01T10:00:00Z');

interface SentRequest {
	readonly key: string | undefined;
	readonly userId: string;
	readonly operationId: string;
	readonly input: unknown;
	readonly now: Date;
}

function request(changes: Partial<SentRequest> = {}): SentRequest {
	return {
		key: randomUUID(),
		userId: randomUUID(),
		operationId: 'createEffect',
		input: { name: 'a' },
		now,
		...changes,
	};
}

function send<Result>(
	{ key: idempotencyKey, userId, now: at, ...operation }: SentRequest,
	work: { check(): Promise<void>; effect(transaction: Database<Schema>): Promise<Result> },
): Promise<Result> {
	return once(db, { idempotencyKey, principal: { userId }, now: at }, { ...operation, ...work });
}

function insert(name: string, check = async () => {}) {
	return {
		check,
		effect: async (transaction: Database<Schema>) => {
			await transaction.insertInto('effects').values({ id: randomUUID(), name }).execute();
			return { name, list: [1, { z: 'ä', a: null }] };
		},
	};
}

async function effectsOf(name: string): Promise<number> {
	const rows = await db.selectFrom('effects').selectAll().where('name', '=', name).execute();
	return rows.length;
}

test('a repeated request has one effect and gets the stored response without another check', async () => {
	const sent = request();
	const first = await send(sent, insert('same'));
	const again = await send(
		sent,
		insert('same', () => Promise.reject(new Error('called again'))),
	);
	expect(JSON.stringify(again)).toBe(JSON.stringify(first));
	expect(await effectsOf('same')).toBe(1);
});

test('without a key each request has its effect', async () => {
	const sent = request({ key: undefined });
	await send(sent, insert('keyless'));
	await send(sent, insert('keyless'));
	expect(await effectsOf('keyless')).toBe(2);
});

test.each([
	['another body', { input: { name: 'b' } }],
	['another operation', { operationId: 'createOther' }],
])('the key with %s is refused and has no effect', async (_name, change) => {
	const sent = request();
	await send(sent, insert('first'));
	const name = randomUUID();
	await expect(send({ ...sent, ...change }, insert(name))).rejects.toMatchObject({
		code: 'IDEMPOTENCY_KEY_REUSED',
		status: 409,
	});
	expect(await effectsOf(name)).toBe(0);
});

test('the same key of another user is another key', async () => {
	const sent = request();
	await send(sent, insert('users'));
	await send({ ...sent, userId: randomUUID() }, insert('users'));
	expect(await effectsOf('users')).toBe(2);
});

test('a request that failed leaves its key free', async () => {
	const sent = request();
	const failing = {
		check: async () => {},
		effect: async (transaction: Database<Schema>): Promise<never> => {
			await transaction.insertInto('effects').values({ id: randomUUID(), name: 'failed' }).execute();
			throw new Error('too late');
		},
	};
	await expect(send(sent, failing)).rejects.toThrow('too late');
	expect(await effectsOf('failed')).toBe(0);
	await send(sent, insert('failed'));
	expect(await effectsOf('failed')).toBe(1);
});

test('of 50 at once one has the effect and all have its response', async () => {
	const sent = request();
	const work = {
		check: async () => {},
		effect: async (transaction: Database<Schema>) => {
			const id = randomUUID();
			await transaction.insertInto('effects').values({ id, name: 'race' }).execute();
			return { id };
		},
	};
	const responses = await Promise.all(Array.from({ length: 50 }, () => send(sent, work)));
	expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
	expect(await effectsOf('race')).toBe(1);
});

test('a key is forgotten after its lifetime, and old keys of others go with it', async () => {
	const sent = request();
	const others = Array.from({ length: 3 }, () => request());
	for (const each of [sent, ...others]) await send(each, insert('old'));
	const later = new Date(now.getTime() + keyLifetimeMs + 1);
	await send({ ...sent, now: new Date(now.getTime() + keyLifetimeMs) }, insert('old'));
	expect(await effectsOf('old')).toBe(4);
	await send({ ...sent, now: later, input: { name: 'new' } }, insert('old'));
	expect(await effectsOf('old')).toBe(5);
	const keys = await db.selectFrom('idempotencyKeys').select('createdAt').execute();
	expect(keys.filter((row) => row.createdAt < later).length).toBe(0);
});

test('of keys taken together, those in use are not taken, expired ones are, and those without a response remain free', async () => {
	const keyed = (at = now): Keyed => ({
		key: randomUUID(),
		userId: randomUUID(),
		digest: randomUUID(),
		now: at,
	});
	const store = (requests: readonly Keyed[], kept = requests) =>
		db.transaction().execute(async (transaction) => {
			const keys = await takeKeys(transaction, requests);
			await keys.keep(kept.map((one) => ({ keyed: one, data: { of: one.digest } })));
			return requests.map((one) => keys.has(one));
		});
	const [expired, used, refused, fresh] = [
		keyed(new Date(now.getTime() - keyLifetimeMs - 1)),
		keyed(),
		keyed(),
		keyed(),
	];
	expect(await store([expired, used])).toEqual([true, true]);
	const again = { ...expired, digest: 'another', now };
	const reused = { ...used, digest: 'another' };
	const twin = { ...fresh, digest: 'another' };
	const taken = await store([again, reused, refused, fresh, twin], [again, twin]);
	expect(taken).toEqual([true, false, true, true, true]);
	for (const one of [again, twin]) expect(await findResponse(db, one)).toEqual({ data: { of: one.digest } });
	expect(await findResponse(db, used)).toEqual({ data: { of: used.digest } });
	await expect(findResponse(db, reused)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
	expect(await findResponse(db, refused)).toBeUndefined();
	expect(await store([refused])).toEqual([true]);
});
