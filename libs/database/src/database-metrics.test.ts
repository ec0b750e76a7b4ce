import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import { createTestDatabase, type TestDatabase } from '@paddock/testing';
import { createDatabase, type Database } from './database.ts';
import { observeDatabase } from './database-metrics.ts';

let testDatabase: TestDatabase;
let db: Database<unknown>;

beforeEach(async () => {
	testDatabase = await createTestDatabase({ name: 'empty', prepare: async () => {} });
	const { url } = testDatabase;
	db = createDatabase({
		url,
		poolMax: 1,
		connectTimeoutMs: 100,
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
	observeDatabase(metrics, db, 1);
	const scrape = async () => {
		const text = await metrics.registry.metrics();
		return text.match(/^service_database_server_connections(?:_max)?(?:\{.*\})? .*$/gm) ?? [];
	};
	await db.connection().execute(async () => expect(await scrape()).toEqual([]));
	const found = await scrape();
	expect(found).toHaveLength(2);
	expect(found.filter((line) => / 0$/.test(line))).toEqual([]);
	await db.connection().execute(async () => expect(await scrape()).toEqual(found));
});
