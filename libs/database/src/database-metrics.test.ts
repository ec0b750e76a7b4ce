import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import { createTestDatabase, eventually, type TestDatabase } from '@paddock/testing';
import { createDatabase, type Database } from './database.ts';
import { observeDatabase, observePools } from './database-metrics.ts';
import { inTransaction } from './in-transaction.ts';

let testDatabase: TestDatabase;
let db: Database<unknown>;

beforeEach(async () => {
	testDatabase = await createTestDatabase({ name: 'empty', prepare: async () => {} });
	const { url } = testDatabase;
	db = createDatabase({
		url,
		poolMax: 1,
		connectTimeoutMs: 20_000,
		applicationName: 'test',
		logger: silentLogger(),
	});
});
afterEach(async () => {
	await db.destroy();
	await testDatabase.drop();
});

// Regression: without a free connection the gauge was 0, which resolved the alert on scarce connections.
test('connections of the server are absent before its first response, and keep their value while the pool is exhausted', async () => {
	const metrics = createMetrics({ prefix: 'service', service: 'toys' });
	observeDatabase(metrics, db);
	const scrape = async () => {
		const text = await metrics.registry.metrics();
		return text.match(/^service_database_server_connections(?:_max)?(?:\{.*\})? .*$/gm) ?? [];
	};
	await db.connection().execute(async () => expect(await scrape()).toEqual([]));
	let found: string[] = [];
	// Without a response within its time a scrape has none, too.
	await eventually('the server has responded in time', async () => {
		found = await scrape();
		return found.length === 2;
	});
	expect(found.filter((line) => / 0$/.test(line))).toEqual([]);
	await db.connection().execute(async () => expect(await scrape()).toEqual(found));
});

test('the pool has its connections by state, and the queries and transactions that wait for one', async () => {
	const metrics = createMetrics({ prefix: 'service', service: 'toys' });
	const { url } = testDatabase;
	const options = {
		url,
		poolMax: 1,
		connectTimeoutMs: 5_000,
		applicationName: 'test',
		logger: silentLogger(),
	};
	const observePool = observePools(metrics);
	const observed = createDatabase({ ...options, onPool: (pool) => observePool('primary', pool) });
	const scrape = async () => {
		const text = await metrics.registry.metrics();
		const value = (start: RegExp) => Number(start.exec(text)?.[1]);
		return {
			used: value(/^service_database_pool_connections\{state="used".*\} (.*)$/m),
			idle: value(/^service_database_pool_connections\{state="idle".*\} (.*)$/m),
			waiting: value(/^service_database_pool_waiting\{.*\} (.*)$/m),
		};
	};
	try {
		let queued: Promise<unknown> = Promise.resolve();
		await observed.connection().execute(async () => {
			queued = observed.connection().execute(async () => undefined);
			expect(await scrape()).toEqual({ used: 1, idle: 0, waiting: 1 });
		});
		await queued;
		await inTransaction(observed, async () => {
			queued = inTransaction(observed, async () => undefined);
			expect(await scrape()).toEqual({ used: 1, idle: 0, waiting: 1 });
		});
		await queued;
		expect(await scrape()).toEqual({ used: 0, idle: 1, waiting: 0 });
	} finally {
		await observed.destroy();
	}
});
