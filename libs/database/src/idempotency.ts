import { hash } from 'node:crypto';
import { apiError } from '@paddock/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database, Queryable } from './database.ts';
import { inTransaction } from './in-transaction.ts';

/** A schema with the table that `idempotencyKeys` creates. */
export interface Idempotent {
	idempotencyKeys: unknown;
}

/** The same with the names in the database. */
interface IdempotencyTables {
	idempotency_keys: IdempotencyRow;
}

interface IdempotencyRow {
	user_id: string;
	key: string;
	input_digest: string;
	/** The response data; null only within the transaction that inserts the key. */
	data: unknown;
	created_at: Date;
}

/** One request and the key under which its client may repeat it. */
interface KeyedCall {
	/** From `Idempotency-Key`; without a key the work is always done. */
	readonly idempotencyKey: string | undefined;
	/** Keys of different users are independent. */
	readonly principal: { readonly userId: string };
	readonly now: Date;
	/** Checks that the caller may write, see `writers` of a route. */
	readonly requireWriter?: (() => Promise<void>) | undefined;
}

/** The work of a request. */
interface KeyedWork<Schema, Checked, Result> {
	readonly operationId: string;
	/** The input of the request as JSON: its body, and the ids in its path. */
	readonly input: unknown;
	/** Runs before the transaction, e.g. calls to other services; skipped if the response is stored. */
	readonly check: () => Promise<Checked>;
	/** The effect; its result must be JSON because it is stored with the key. */
	readonly effect: (transaction: Transaction<Schema>, checked: Checked) => Promise<Result>;
}

export const keyLifetimeMs = 24 * 60 * 60_000;

const forgottenAtOnce = 20;

/** The table of the keys; a migration of every context with idempotent routes. */
export const idempotencyKeys: Migration = {
	up: async (db) => {
		await sql`
			create table idempotency_keys (
				user_id uuid not null,
				key text not null,
				input_digest text not null,
				data json,
				created_at timestamptz not null,
				primary key (user_id, key)
			)`.execute(db);
		await sql`create index idempotency_keys_created_at on idempotency_keys (created_at)`.execute(db);
	},
};

/**
 * Does the work once per key: key, effect and response are one transaction, so a key without its effect can't exist. A
 * repeated request returns the stored response; if it arrives while the first is running, it waits. A failed request
 * stores no key.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED when the key belongs to another request; any error of `check` and `effect`.
 */
export async function once<Schema extends Idempotent, Checked, Result>(
	db: Database<Schema>,
	{ idempotencyKey: key, principal: { userId }, now, requireWriter }: KeyedCall,
	work: KeyedWork<Schema, Checked, Result>,
): Promise<Result> {
	if (key === undefined) {
		await requireWriter?.();
		const checked = await work.check();
		return inTransaction(db, (transaction) => work.effect(transaction, checked));
	}
	const keyed = { key, userId, digest: digestOf(work), now };
	const known = await storedResponse(keysOf(db), keyed);
	if (known !== undefined) return known.data as Result;
	await requireWriter?.();
	const checked = await work.check();
	return inTransaction(db, async (transaction) => {
		const keys = keysOf(transaction);
		const row = await takeKey(keys, keyed);
		if (row === undefined) {
			const other = await storedResponse(keys, keyed);
			if (other === undefined) throw new TypeError('A key could not be inserted but is not found.');
			return other.data as Result;
		}
		const result = await work.effect(transaction, checked);
		await keepResponse(keys, row, now, result);
		return result;
	});
}

/** A request with a key. */
export interface Keyed {
	readonly key: string;
	readonly userId: string;
	readonly digest: string;
	readonly now: Date;
}

/** Undefined without a key. */
export function keyedRequest(
	{ idempotencyKey: key, principal: { userId }, now }: KeyedCall,
	work: Pick<KeyedWork<unknown, unknown, unknown>, 'operationId' | 'input'>,
): Keyed | undefined {
	return key === undefined ? undefined : { key, userId, digest: digestOf(work), now };
}

/** The stored response of a request. @throws ApiError IDEMPOTENCY_KEY_REUSED */
export function findResponse<Schema extends Idempotent>(
	db: Kysely<Schema>,
	keyed: Keyed,
): Promise<{ data: unknown } | undefined> {
	return storedResponse(keysOf(db), keyed);
}

/** The keys that a transaction has taken for several requests. */
export interface TakenKeys {
	/** False if another request has stored its response under the key. */
	has(keyed: Keyed): boolean;
	/** Stores responses, one for a key, with their requests; the keys without one remain free. */
	keep(responses: readonly KeptResponse[]): Promise<void>;
}

interface KeptResponse {
	readonly keyed: Keyed;
	/** JSON. */
	readonly data: unknown;
}

const keyName = ({ userId, key }: Keyed) => `${userId.toLowerCase()} ${key}`;

/**
 * For `once` with several requests in one transaction: call it before any other lock, as `once` does, and `keep` at the end. Waits
 * for other transactions with the same keys; takes over expired keys.
 */
export async function takeKeys<Schema extends Idempotent>(
	transaction: Kysely<Schema>,
	requests: readonly Keyed[],
): Promise<TakenKeys> {
	const db = keysOf(transaction);
	// In one order, so that two transactions with the same keys do not wait for each other.
	const named = [...new Map(requests.map((keyed) => [keyName(keyed), keyed]))];
	const sorted = named.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, keyed]) => keyed);
	const [first] = sorted;
	if (first === undefined) return { has: () => false, keep: async () => {} };
	const since = rememberedSince(first.now);
	const { rows } = await sql<{ user_id: string; key: string; place: string }>`
		insert into idempotency_keys as stored (user_id, key, input_digest, data, created_at)
		select user_id, key, digest, null, created_at from unnest(
			${sorted.map(({ userId }) => userId)}::uuid[],
			${sorted.map(({ key }) => key)}::text[],
			${sorted.map(({ digest }) => digest)}::text[],
			${sorted.map(({ now }) => now.toISOString())}::timestamptz[]
		) as added (user_id, key, digest, created_at)
		on conflict (user_id, key) do update
			set input_digest = excluded.input_digest, data = null, created_at = excluded.created_at
			where stored.created_at < ${since}
		returning user_id, key, ctid as place`.execute(db);
	const places = new Map(
		rows.map((row) => [keyName({ ...first, userId: row.user_id, key: row.key }), row.place]),
	);
	return {
		has: (keyed) => places.has(keyName(keyed)),
		keep: async (responses) => {
			const kept = responses.map(({ keyed, data }) => ({
				place: places.get(keyName(keyed)),
				digest: keyed.digest,
				data: JSON.stringify(data),
			}));
			const keptPlaces = kept.map(({ place }) => place);
			const free = [...places.values()].filter((place) => !keptPlaces.includes(place));
			// By place, as in keepResponse.
			await sql`
				with ${forgottenKeys(since, forgottenAtOnce * places.size)}, freed as (
					delete from idempotency_keys where ctid = any (${free}::tid[])
				)
				update idempotency_keys set
					input_digest = (${kept.map(({ digest }) => digest)}::text[])[array_position(${keptPlaces}::tid[], ctid)],
					data = (${kept.map(({ data }) => data)}::text[])[array_position(${keptPlaces}::tid[], ctid)]::json
				where ctid = any (${keptPlaces}::tid[])`.execute(db);
		},
	};
}

// Kysely can't name a table of a schema that is a type parameter.
function keysOf<Schema extends Idempotent>(db: Kysely<Schema>): Kysely<IdempotencyTables> {
	return db.withoutPlugins() as unknown as Kysely<IdempotencyTables>;
}

async function storedResponse(
	db: Kysely<IdempotencyTables>,
	{ userId, key, digest, now }: Keyed,
): Promise<{ data: unknown } | undefined> {
	const row = await db
		.selectFrom('idempotency_keys')
		.select(['input_digest', 'data'])
		.where('user_id', '=', userId)
		.where('key', '=', key)
		.where('created_at', '>=', rememberedSince(now))
		.executeTakeFirst();
	if (row === undefined) return undefined;
	if (row.input_digest !== digest) throw apiError('IDEMPOTENCY_KEY_REUSED');
	return { data: row.data };
}

/**
 * Waits for another transaction that is inserting the same key. A key that has expired is taken over. @returns the place of the
 * row: undefined if another request has the key
 */
async function takeKey(
	db: Kysely<IdempotencyTables>,
	{ userId, key, digest, now }: Keyed,
): Promise<string | undefined> {
	const taken = await db
		.insertInto('idempotency_keys')
		.values({ user_id: userId, key, input_digest: digest, data: null, created_at: now })
		.onConflict((conflict) =>
			conflict
				.columns(['user_id', 'key'])
				.doUpdateSet({ input_digest: digest, data: null, created_at: now })
				.where('idempotency_keys.created_at', '<', rememberedSince(now)),
		)
		.returning(sql<string>`ctid`.as('place'))
		.executeTakeFirst();
	return taken?.place;
}

/**
 * Stores the response with its key, and deletes some expired keys: each new key removes a few. In one statement, as other
 * requests may wait for the locks of this one. By the place of the row, which only this transaction can change: a prepared
 * statement that was planned when the table was almost empty would read the whole table for its key.
 */
async function keepResponse(
	db: Kysely<IdempotencyTables>,
	place: string,
	now: Date,
	result: unknown,
): Promise<void> {
	await sql`
		with ${forgottenKeys(rememberedSince(now), forgottenAtOnce)}
		update idempotency_keys set data = ${JSON.stringify(result)}
		where ctid = ${place}::tid`.execute(db);
}

const forgottenKeys = (since: Date, limit: number) => sql`forgotten as (
			delete from idempotency_keys where ctid = any (array(
				select ctid from idempotency_keys where created_at < ${since}
				order by created_at limit ${limit} for update skip locked
			)) returning 1
		)`;

const deletedAtOnce = 5_000;

/** Deletes keys and responses that are a day old, if the context stores any, a part at a time so that no lock is held for long. */
export async function deleteExpiredKeys<Schema>(db: Queryable<Schema>, now: Date): Promise<void> {
	const { rows: tables } = await sql<{
		exists: boolean;
	}>`select to_regclass('idempotency_keys') is not null as exists`.execute(db);
	while (tables[0]?.exists === true) {
		const { rows } = await sql<{ deleted: number }>`
			with ${forgottenKeys(rememberedSince(now), deletedAtOnce)}
			select count(*)::int as deleted from forgotten`.execute(db);
		if ((rows[0]?.deleted ?? 0) < deletedAtOnce) return;
	}
}

function rememberedSince(now: Date): Date {
	return new Date(now.getTime() - keyLifetimeMs);
}

function digestOf({ operationId, input }: { readonly operationId: string; readonly input: unknown }): string {
	return hash('sha256', JSON.stringify([operationId, input]), 'base64url');
}
