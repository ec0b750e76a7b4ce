import { requestDeadline } from '@paddock/resilience';
import type { Metrics } from '@paddock/telemetry';
import type { Kysely } from 'kysely';
import { Gauge } from 'prom-client';
import { serverConnections } from './inspect-server.ts';

// A scrape must not wait for a database that hangs.
const timeoutMs = 1_000;

/** Gauges of a service's pool and of the connections on its database server, read at each scrape. */
export function observeDatabase<Schema>({ registry }: Metrics, db: Kysely<Schema>, poolMax: number): void {
	new Gauge({
		name: 'service_database_pool_connections_max',
		help: 'Maximum number of database connections of this process (DATABASE_POOL_MAX).',
		registers: [registry],
	}).set(poolMax);
	const max = new Gauge({
		name: 'service_database_server_connections_max',
		help: 'Connections that the database server accepts from services, all databases together.',
		registers: [registry],
	});
	new Gauge({
		name: 'service_database_server_connections',
		help: 'Open connections of the database server, all databases together; absent while it does not respond.',
		registers: [registry],
		async collect() {
			this.reset();
			max.reset();
			const read = () => serverConnections(db);
			const found = await requestDeadline.run(performance.now() + timeoutMs, read).catch(() => undefined);
			// Readiness reports the outage.
			if (found === undefined) return;
			this.set(found.used);
			max.set(found.max);
		},
	});
}
