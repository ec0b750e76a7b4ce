import { type Bulkhead, createBulkhead, remainingMs } from '@paddock/resilience';
import { type Kysely, PostgresAdapter, PostgresDialect, type PostgresPool } from 'kysely';
import { ConnectionWaitError } from './connection-errors.ts';

interface PooledDialectOptions {
	readonly pool: PostgresPool;
	readonly poolMax: number;
	/** How long a transaction waits for a slot. */
	readonly waitMs: number;
}

/**
 * A pool of which transactions use at most half: one that waits for a lock keeps its connection, and without a limit a
 * slow holder of the lock would leave none for reads and for the health check, at every instance
 * (docs/decisions/0031).
 */
export class PooledDialect extends PostgresDialect {
	readonly transactions: Bulkhead;
	readonly #waitMs: number;

	constructor({ pool, poolMax, waitMs }: PooledDialectOptions) {
		super({ pool });
		const max = Math.max(1, Math.floor(poolMax / 2));
		this.transactions = createBulkhead({ max, waitingMax: Number.POSITIVE_INFINITY });
		this.#waitMs = waitMs;
	}

	override createAdapter(): PostgresAdapter {
		return new PooledAdapter(this.transactions, this.#waitMs);
	}
}

class PooledAdapter extends PostgresAdapter {
	readonly #transactions: Bulkhead;
	readonly #waitMs: number;

	constructor(transactions: Bulkhead, waitMs: number) {
		super();
		this.#transactions = transactions;
		this.#waitMs = waitMs;
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
	const { adapter } = db.getExecutor();
	if (adapter instanceof PooledAdapter) return adapter.transactionSlot();
	throw new TypeError('The database was not created by createDatabase().');
}
