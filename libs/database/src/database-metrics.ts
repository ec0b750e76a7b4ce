import { withDeadline } from '@paddock/resilience';
import type { Metrics } from '@paddock/telemetry';
import type { Kysely } from 'kysely';
import { Counter, Gauge } from 'prom-client';
import type { PoolCounts } from './database.ts';
import { serverConnections } from './inspect-server.ts';
import { storageOf } from './pooled-dialect.ts';
import type { ReadReplica } from './read-replica.ts';

// A scrape must not wait for a database that hangs.
const timeoutMs = 1_000;

/** Gauges of a service's pools, read at each scrape. @returns a function that adds the pool of a server */
export function observePools({
	registry,
}: Metrics): (server: 'primary' | 'replica', pool: PoolCounts) => void {
	const pools = new Map<string, PoolCounts>();
	const registers = [registry];
	new Gauge({
		name: 'service_database_pool_connections_max',
		help: 'Maximum number of database connections of this process (DATABASE_POOL_MAX), by server: primary or replica.',
		labelNames: ['server'],
		registers,
		collect() {
			for (const [server, { options }] of pools) this.set({ server }, options.max);
		},
	});
	new Gauge({
		name: 'service_database_pool_connections',
		help: 'Database connections of this process, by state (idle or used) and server.',
		labelNames: ['state', 'server'],
		registers,
		collect() {
			for (const [server, { idleCount, totalCount }] of pools) {
				this.set({ state: 'idle', server }, idleCount);
				this.set({ state: 'used', server }, totalCount - idleCount);
			}
		},
	});
	new Gauge({
		name: 'service_database_pool_waiting',
		help: 'Queries and transactions of this process that wait for a database connection, by server.',
		labelNames: ['server'],
		registers,
		collect() {
			for (const [server, { waitingCount }] of pools) this.set({ server }, waitingCount);
		},
	});
	return (server, pool) => void pools.set(server, pool);
}

/** Storage problems of a service's database server, and gauges of its connections, read at each scrape. */
export function observeDatabase<Schema>({ registry }: Metrics, db: Kysely<Schema>): void {
	new Counter({
		name: 'service_database_storage_failures_total',
		help: 'Queries that the database server refused for lack of space, memory or other resources, or for an error of its storage.',
		labelNames: ['problem'],
		registers: [registry],
		collect() {
			this.reset();
			for (const [problem, count] of storageOf(db).counts()) this.inc({ problem }, count);
		},
	});
	let reading: Promise<void> | undefined;
	/** One query for both gauges of a scrape. */
	const collect = () => {
		reading ??= read().finally(() => {
			reading = undefined;
		});
		return reading;
	};
	const max = new Gauge({
		name: 'service_database_server_connections_max',
		help: 'Connections that the database server accepts from services, all databases together.',
		registers: [registry],
		collect,
	});
	const used = new Gauge({
		name: 'service_database_server_connections',
		help: 'Open connections of the database server, all databases together, when it last responded.',
		registers: [registry],
		collect,
	});
	// prom-client starts at 0, which would be a value of the server.
	for (const gauge of [max, used]) gauge.remove();
	async function read(): Promise<void> {
		const query = () => serverConnections(db);
		const found = await withDeadline(timeoutMs, query).catch(() => undefined);
		// Readiness reports the outage. The last values stay: a server without a free connection refuses this query too,
		// and the alert on its connections must not resolve then.
		if (found === undefined) return;
		max.set(found.max);
		used.set(found.used);
	}
}

/** Gauges of a service's read replica. */
export function observeReplica({ registry }: Metrics, replica: Pick<ReadReplica<never>, 'state'>): void {
	new Gauge({
		name: 'service_read_replica_in_use',
		help: 'Whether lists are read from the read replica: 1, otherwise 0.',
		registers: [registry],
		collect() {
			this.set(replica.state().problem === undefined ? 1 : 0);
		},
	});
	const lag = new Gauge({
		name: 'service_read_replica_lag_seconds',
		help: 'The read replica has all commits that are older than this.',
		registers: [registry],
		collect() {
			const { lagMs } = replica.state();
			if (lagMs !== undefined) this.set(lagMs / 1_000);
		},
	});
	// Absent before the first comparison.
	lag.remove();
}
