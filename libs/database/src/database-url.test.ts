import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import { createDatabase } from './database.ts';
import { connectTimeoutOf } from './server-urls.ts';

let database: TestDatabase;
beforeAll(async () => {
	database = await createTestDatabase({ name: 'url', prepare: async () => undefined });
});
afterAll(() => database.drop());

test.each([
	['postgres://a:b@c/d?connect_timeout=5', 5_000],
	['postgres://a:b@c/d?sslmode=require&connect_timeout=12&x=y', 12_000],
	['postgres://a:b@c/d', undefined],
	['postgres://a:b@c/d?connect_timeout=soon', undefined],
	['postgres://connect_timeout=5:b@c/d', undefined],
])('the time-out of %s', (url, timeoutMs) => {
	expect(connectTimeoutOf(url)).toBe(timeoutMs);
});

test('a call with a shorter one ends first, although it began later', async () => {
	const gaveUp: string[] = [];
	const { promise: waits, resolve: begun } = Promise.withResolvers<void>();
	/** Waits for the only connection of a pool. */
	const wait = async (query: string) => {
		const url = `${database.url.split('?')[0]}${query}`;
		const db = createDatabase({ url, poolMax: 1, applicationName: 'test', logger: silentLogger() });
		await db.connection().execute(async () => {
			const waiting = sql`select 1`.execute(db);
			begun();
			await waiting.catch(() => gaveUp.push(query));
		});
		await db.destroy();
	};
	const patient = wait('');
	await waits;
	await Promise.all([patient, wait('?connect_timeout=1')]);
	expect(gaveUp).toEqual(['?connect_timeout=1', '']);
});
