import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import { createMovingClock, createTestDatabase, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import { createDatabase, type Database } from './database.ts';
import { observeNumberSpaces } from './number-spaces.ts';

let testDatabase: TestDatabase;
let db: Database<{ clubs: { number: string } }>;

beforeAll(async () => {
	testDatabase = await createTestDatabase({
		name: 'number_spaces',
		prepare: async (url) => {
			const empty = createDatabase({ url, applicationName: 'test', logger: silentLogger() });
			await sql`create table clubs (number text)`.execute(empty);
			await empty.destroy();
		},
	});
	db = createDatabase({ url: testDatabase.url, applicationName: 'test', logger: silentLogger() });
});

afterAll(async () => {
	await db.destroy();
	await testDatabase.drop();
});

test('the numbers that are assigned are counted every ten minutes, and again at once after a failure', async () => {
	const clock = createMovingClock(new Date('2026-09-15T10:00:00Z'));
	const metrics = createMetrics({ prefix: 'service', service: 'test' });
	const used = sql<number>`(select count(*) from clubs)`;
	observeNumberSpaces(metrics, db, { spaces: { club: { size: 9_000, used } }, now: clock.now });
	const shown = async () =>
		(await metrics.registry.metrics())
			.match(/^service_number_space.*$/gm)
			?.map((line) => line.replace(/,?service="test"/, ''));
	expect(await shown()).toEqual([
		'service_number_space_used{space="club"} 0',
		'service_number_space_size{space="club"} 9000',
	]);
	await db.insertInto('clubs').values({ number: '1000' }).execute();
	clock.advance(599_999);
	expect(await shown()).toContain('service_number_space_used{space="club"} 0');
	clock.advance(1);
	expect(await shown()).toContain('service_number_space_used{space="club"} 1');
	await sql`alter table clubs rename to former`.execute(db);
	clock.advance(600_000);
	expect(await shown()).toContain('service_number_space_used{space="club"} 1');
	await sql`alter table former rename to clubs`.execute(db);
	await db.insertInto('clubs').values({ number: '1001' }).execute();
	expect(await shown()).toContain('service_number_space_used{space="club"} 2');
});
