import { expect, test } from '@jest/globals';
import { type Idempotent, idempotencyKeys, seedMarks } from '@paddock/database';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import { createSettableRegistry, createTestDatabase, eventually, openTestPool } from '@paddock/testing';
import { sql } from 'kysely';
import { type ContextSettings, contextOpener } from './context-opener.ts';

const dayMs = 24 * 3_600_000;

// A start that is tried again would otherwise leave the connections and watches of each attempt behind.
test('a failure after database and peers were opened closes both, and the parts of the context', async () => {
	const database = await createTestDatabase({ name: 'failing_context', prepare: async () => {} });
	const observer = openTestPool<never>(database.url);
	const registry = createSettableRegistry({});
	let watches = 0;
	const closed: string[] = [];
	const metrics = createMetrics({ prefix: 'service', service: 'failing-service' });
	const open = contextOpener<never, object, ContextSettings>({
		description: { name: 'failing', calls: ['members'] },
		migrations: { '0001-seed-marks': seedMarks },
		open: async ({ openPeers, closeWith }) => {
			closeWith(() => closed.push('mailer'));
			closeWith(() => closed.push('keys'));
			const gauge = (name: string) => metrics.registry.getSingleMetric(`service_database_${name}`)?.get();
			const read = async (name: string) => (await gauge(name))?.values[0]?.value;
			expect(await read('pool_connections_max')).toBe(2);
			expect(await read('server_connections')).toBeGreaterThan(0);
			expect(await read('server_connections_max')).toBeGreaterThan(50);
			openPeers('a secret of thirty-two characters');
			expect(watches).toBeGreaterThan(0);
			throw new Error('no routes');
		},
	});
	const opening = open(
		{ DATABASE_URL: database.url, MIGRATE_ON_START: true, DATABASE_POOL_MAX: 2 },
		{
			logger: silentLogger(),
			metrics,
			now: () => new Date(),
			registry: {
				...registry,
				watch: (service) => {
					const watch = registry.watch(service);
					watches += 1;
					return {
						...watch,
						stop: () => {
							watches -= 1;
							watch.stop();
						},
					};
				},
			},
		},
	);
	await expect(opening).rejects.toThrow('no routes');
	expect(watches).toBe(0);
	expect(closed).toEqual(['keys', 'mailer']);
	await eventually('its connections are closed', async () => {
		const { rows } = await sql`
			select 1 from pg_stat_activity
			where datname = current_database() and application_name = 'failing-service'`.execute(observer);
		return rows.length === 0;
	});
	await observer.destroy();
	await database.drop();
});

// Expired keys were deleted with new ones only: responses, which are copies of records, stayed in a quiet context.
test('stored responses are deleted a day after their requests, without a further request', async () => {
	const database = await createTestDatabase({ name: 'expired_keys', prepare: async () => {} });
	const now = new Date('2026-03-01T10:00:00Z');
	const open = contextOpener<Idempotent, object, ContextSettings>({
		description: { name: 'quiet', calls: [] },
		migrations: {
			'0001-idempotency-keys': idempotencyKeys,
			'0002-seed-marks': seedMarks,
			'0003-requests': {
				up: async (db) => {
					const insert = (count: number, at: Date, key: string) =>
						sql`
						insert into idempotency_keys (user_id, key, input_digest, data, created_at)
						select gen_random_uuid(), ${key}, '', '{}', ${at} from generate_series(1, ${count}::int)`.execute(
							db,
						);
					await insert(12_000, new Date(now.getTime() - dayMs - 1), 'expired');
					await insert(3, new Date(now.getTime() - dayMs), 'stored');
				},
			},
		},
		open: () => ({ routes: [], deps: {} }),
	});
	const opened = await open(
		{ DATABASE_URL: database.url, MIGRATE_ON_START: true, DATABASE_POOL_MAX: 2 },
		{
			logger: silentLogger(),
			metrics: createMetrics({ prefix: 'service', service: 'quiet-service' }),
			now: () => now,
			registry: createSettableRegistry({}),
		},
	);
	const observer = openTestPool<never>(database.url);
	try {
		await eventually('the expired ones are deleted', async () => {
			const { rows } = await sql`select key from idempotency_keys limit 10`.execute(observer);
			return rows.length === 3 && rows.every((row) => Object(row).key === 'stored');
		});
	} finally {
		await observer.destroy();
		await opened.close?.();
		await database.drop();
	}
});
