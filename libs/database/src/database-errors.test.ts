import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, freePort, patient, startStopwatch, type TestDatabase } from '@paddock/testing';
import { CompiledQuery, sql } from 'kysely';
import { checkDatabase } from './check-database.ts';
import { createDatabase, type Database, type PoolCounts } from './database.ts';
import {
	isDatabaseUnavailable,
	isForeignKeyViolation,
	isRetryableConflict,
	violatedConstraint,
} from './database-errors.ts';
import { withDatabase } from './server-urls.ts';

interface Schema {
	clubs: { id: number; code: string };
	horses: { id: number; club_id: number };
}

// For connections whose limit is not tested: a busy machine may need a second to open one.
const patientMs = 15_000;
const options = { connectTimeoutMs: patientMs, applicationName: 'test', logger: silentLogger() };
let testDatabase: TestDatabase;
let db: Database<Schema>;

beforeAll(async () => {
	testDatabase = await createTestDatabase({ name: 'errors', prepare: createTables });
	db = createDatabase({ ...options, url: testDatabase.url });
	await db.insertInto('clubs').values({ id: 1, code: 'A' }).execute();
});

afterAll(async () => {
	await db.destroy();
	await testDatabase.drop();
});

async function createTables(url: string): Promise<void> {
	const empty = createDatabase({ ...options, url });
	await sql`create table clubs (id int primary key, code text, constraint clubs_code_key unique (code))`.execute(
		empty,
	);
	await sql`create table horses (id int primary key, club_id int, constraint horses_club_fkey foreign key (club_id) references clubs)`.execute(
		empty,
	);
	await empty.destroy();
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
	return await work.then(
		() => undefined,
		(error: unknown) => error,
	);
}

async function connectionError(url: string, connectTimeoutMs = patientMs): Promise<unknown> {
	const other = createDatabase({ ...options, url, connectTimeoutMs });
	const error = await errorOf(sql`select 1`.execute(other));
	await other.destroy();
	return error;
}

describe('a refused row', () => {
	test('names the unique constraint', async () => {
		const error = await errorOf(db.insertInto('clubs').values({ id: 2, code: 'A' }).execute());
		expect(violatedConstraint(error)).toBe('clubs_code_key');
		expect(isForeignKeyViolation(error)).toBe(false);
		expect(isDatabaseUnavailable(error)).toBe(false);
	});

	test('names the foreign key', async () => {
		const error = await errorOf(db.insertInto('horses').values({ id: 1, club_id: 99 }).execute());
		expect(isForeignKeyViolation(error)).toBe(true);
		expect(violatedConstraint(error)).toBe('horses_club_fkey');
	});
});

describe('the database is unavailable when', () => {
	test('nothing listens', async () => {
		expect(
			isDatabaseUnavailable(await connectionError(`postgres://a:b@127.0.0.1:${await freePort()}/c`)),
		).toBe(true);
	});

	test('nothing listens on any address of a name', async () => {
		expect(
			isDatabaseUnavailable(await connectionError(`postgres://a:b@localhost:${await freePort()}/c`)),
		).toBe(true);
	});

	test('it accepts the connection and sends nothing', async () => {
		const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
		await new Promise((resolve) => silent.once('listening', resolve));
		const address = silent.address();
		if (address === null || typeof address === 'string') throw new Error('not listening');
		const error = await connectionError(`postgres://a:b@127.0.0.1:${address.port}/c`, 300);
		expect(isDatabaseUnavailable(error)).toBe(true);
		silent.close();
	});

	test('it ends our session', async () => {
		const error = await errorOf(sql`select pg_terminate_backend(pg_backend_pid())`.execute(db));
		expect(error).toMatchObject({ code: '57P01' });
		expect(isDatabaseUnavailable(error)).toBe(true);
		await sql`select 1`.execute(db);
	});

	test('it exceeds the statement timeout', async () => {
		const sleep = db.transaction().execute(async (transaction) => {
			await sql`set local statement_timeout = 50`.execute(transaction);
			await sql`select pg_sleep(5)`.execute(transaction);
		});
		const error = await errorOf(sleep);
		expect(error).toMatchObject({ code: '57014' });
		expect(isDatabaseUnavailable(error)).toBe(true);
	});

	test('all our connections are busy', async () => {
		let limits: { connectionTimeoutMillis?: number | undefined } = {};
		const onPool = (pool: PoolCounts): void => {
			limits = pool.options;
		};
		const narrow = createDatabase({ ...options, url: testDatabase.url, poolMax: 1, onPool });
		await narrow.connection().execute(async () => {
			// Not before: opening the only connection has the same limit.
			limits.connectionTimeoutMillis = 100;
			expect(isDatabaseUnavailable(await errorOf(sql`select 1`.execute(narrow)))).toBe(true);
		});
		await narrow.destroy();
	});

	test('its role has no free connection', async () => {
		const name = new URL(testDatabase.url).username;
		await withSuperuser(async (server) => {
			await sql`alter role ${sql.id(name)} connection limit 0`.execute(server);
			const error = await connectionError(testDatabase.url);
			await sql`alter role ${sql.id(name)} connection limit -1`.execute(server);
			expect(error).toMatchObject({ code: '53300' });
			expect(isDatabaseUnavailable(error)).toBe(true);
		});
	});

	test('the pool is closed before a late request', async () => {
		const closed = createDatabase({ ...options, url: testDatabase.url });
		await sql`select 1`.execute(closed);
		await closed.destroy();
		expect(isDatabaseUnavailable(await errorOf(sql`select 1`.execute(closed)))).toBe(true);
	});
});

describe('the database is not unavailable when', () => {
	test('the password is wrong', async () => {
		const url = new URL(testDatabase.url);
		url.password = 'wrong';
		const error = await connectionError(url.href);
		expect(error).toMatchObject({ code: '28P01' });
		expect(isDatabaseUnavailable(error)).toBe(false);
	});

	test('it does not exist', async () => {
		expect(isDatabaseUnavailable(await connectionError(withDatabase(testDatabase.url, 'nowhere')))).toBe(
			false,
		);
	});

	test('the query is invalid, or the error is not one of the database', async () => {
		expect(isDatabaseUnavailable(await errorOf(sql`selct`.execute(db)))).toBe(false);
		expect(isDatabaseUnavailable(undefined)).toBe(false);
		expect(isDatabaseUnavailable('ECONNREFUSED')).toBe(false);
	});
});

test('a transaction that is sent as one text, and fails, leaves its connection to nobody', async () => {
	const alone = createDatabase<Schema>({ ...options, url: testDatabase.url, poolMax: 1 });
	const failed = alone.executeQuery(CompiledQuery.raw('\n BEGIN; select 1 / 0; COMMIT;'));
	await expect(failed).rejects.toMatchObject({ code: '22012' });
	expect(await alone.selectFrom('clubs').select('code').execute()).toEqual([{ code: 'A' }]);
	await alone.destroy();
});

test('of two transactions that wait for each other, the one that is ended has a retryable conflict', async () => {
	await db
		.insertInto('clubs')
		.values([
			{ id: 10, code: 'J' },
			{ id: 11, code: 'K' },
		])
		.execute();
	const touch = (first: number, second: number, met: () => Promise<void>) =>
		db.transaction().execute(async (transaction) => {
			await transaction
				.updateTable('clubs')
				.set({ code: `${first}${second}` })
				.where('id', '=', first)
				.execute();
			await met();
			await transaction
				.updateTable('clubs')
				.set({ code: `${second}${first}` })
				.where('id', '=', second)
				.execute();
		});
	const meet = barrier(2);
	const results = await Promise.allSettled([touch(10, 11, meet), touch(11, 10, meet)]);
	const losers = results.filter((result) => result.status === 'rejected');
	expect(losers).toHaveLength(1);
	expect(isRetryableConflict(losers[0]?.reason)).toBe(true);
});

test('readiness: a check passes, and fails in time when no connection is free', async () => {
	await expect(checkDatabase(db, patientMs)).resolves.toBeUndefined();
	const narrow = createDatabase({ ...options, url: testDatabase.url, poolMax: 1 });
	await narrow.connection().execute(async () => {
		const elapsedMs = startStopwatch();
		const error = await errorOf(checkDatabase(narrow, 100));
		expect(isDatabaseUnavailable(error)).toBe(true);
		expect(elapsedMs()).toBeLessThan(patient(1_000));
	});
	await narrow.destroy();
});

function barrier(parties: number): () => Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	let waiting = 0;
	return async () => {
		waiting++;
		if (waiting === parties) resolve();
		await promise;
	};
}

async function withSuperuser(work: (server: Database<unknown>) => Promise<void>): Promise<void> {
	const { PADDOCK_TEST_POSTGRES_URL: url = '' } = process.env;
	const server = createDatabase<unknown>({ ...options, url });
	try {
		await work(server);
	} finally {
		await server.destroy();
	}
}
