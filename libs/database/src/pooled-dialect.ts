import { type Bulkhead, createBulkhead, remainingMs } from '@paddock/resilience';
import { type Kysely, PostgresAdapter, PostgresDialect, type PostgresPool } from 'kysely';
import { ConnectionWaitError } from './connection-errors.ts';
import type { StorageWatch } from './storage-watch.ts';

interface PooledDialectOptions {
	readonly pool: PostgresPool;
	readonly poolMax: number;
	/** How long a transaction waits for a slot. */
	readonly waitMs: number;
	readonly storage: StorageWatch;
}

/**
 * A pool of which transactions use at most half: one that waits for a lock keeps its connection, and without a limit a
 * slow holder of the lock would leave none for reads and for the health check, at every instance
 * (docs/decisions/0031).
 */
export class PooledDialect extends PostgresDialect {
	readonly transactions: Bulkhead;
	readonly #waitMs: number;
	readonly #storage: StorageWatch;

	constructor({ pool, poolMax, waitMs, storage }: PooledDialectOptions) {
		super({ pool });
		const max = Math.max(1, Math.floor(poolMax / 2));
		this.transactions = createBulkhead({ max, waitingMax: Number.POSITIVE_INFINITY });
		this.#waitMs = waitMs;
		this.#storage = storage;
	}

	override createAdapter(): PostgresAdapter {
		return new PooledAdapter(this.transactions, this.#waitMs, this.#storage);
	}
}

class PooledAdapter extends PostgresAdapter {
	readonly #transactions: Bulkhead;
	readonly #waitMs: number;
	readonly storage: StorageWatch;
	readonly statistics = createStatisticsStore();

	constructor(transactions: Bulkhead, waitMs: number, storage: StorageWatch) {
		super();
		this.#transactions = transactions;
		this.#waitMs = waitMs;
		this.storage = storage;
	}

	async transactionSlot(): Promise<() => void> {
		const waitMs = Math.min(this.#waitMs, remainingMs() ?? Number.POSITIVE_INFINITY);
		const release = await this.#transactions.enter(waitMs);
		if (release === undefined) throw new ConnectionWaitError(waitMs);
		return release;
	}

	// Without Kysely's lock of the session, which a pooler would give to the next client: see `migrateToLatest`.
	override async acquireMigrationLock(): Promise<void> {}
	override async releaseMigrationLock(): Promise<void> {}
}

/**
 * Waits until a transaction may take a connection of the pool; call the returned function when it has ended.
 * @throws ConnectionWaitError
 */
export function transactionSlot<Schema>(db: Kysely<Schema>): Promise<() => void> {
	return adapterOf(db).transactionSlot();
}

/** The state of the storage of a database's server. */
export function storageOf<Schema>(db: Kysely<Schema>): StorageWatch {
	return adapterOf(db).storage;
}

/** The statistics that were counted in a database. */
export function statisticsOf<Schema>(db: Kysely<Schema>): StatisticsStore {
	return adapterOf(db).statistics;
}

function adapterOf<Schema>(db: Kysely<Schema>): PooledAdapter {
	const { adapter } = db.getExecutor();
	if (adapter instanceof PooledAdapter) return adapter;
	throw new TypeError('The database was not created by createDatabase().');
}

/** Statistics, and the time at which they were counted. */
export interface Counted<Numbers> {
	readonly numbers: Numbers;
	readonly countedAt: Date;
}

/** The numbers of one pool: those that were counted last, and those that are being counted. */
export interface StatisticsStore {
	readonly counted: Map<string, Counted<unknown>>;
	readonly counting: Map<string, Promise<Counted<unknown>>>;
	/** Ends when no more numbers are being counted. One at a time: a count keeps a connection for seconds. */
	last: Promise<unknown>;
	readonly closing: AbortController;
}

function createStatisticsStore(): StatisticsStore {
	return {
		counted: new Map(),
		counting: new Map(),
		last: Promise.resolve(),
		closing: new AbortController(),
	};
}
