import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@paddock/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@paddock/database/embedded';
import { withDeadline } from '@paddock/resilience';
import { silentLogger } from '@paddock/telemetry';
import { freePort, patient, startStopwatch } from '@paddock/testing';
import { sql } from 'kysely';
import { checkDatabase } from '../src/check-database.ts';
import { isDatabaseUnavailable } from '../src/database-errors.ts';
import { eventually, makeServerDirectory, processesIn } from './server-directory.ts';

const logger = silentLogger();
let directory: Awaited<ReturnType<typeof makeServerDirectory>>;
let port: number;
let server: EmbeddedPostgres;
let db: Database<unknown>;

beforeAll(async () => {
	directory = await makeServerDirectory();
	port = await freePort();
	server = await start();
	db = createDatabase({
		url: server.superuserUrl,
		poolMax: 4,
		statementTimeoutMs: 500,
		connectTimeoutMs: 2_000,
		applicationName: 'test',
		logger,
	});
});

afterAll(async () => {
	await db.destroy();
	await server.stop();
	await directory.remove();
});

async function start(): Promise<EmbeddedPostgres> {
	const dataDir = join(directory.path, 'postgres');
	return await startEmbeddedPostgres({ dataDir, port, logger, durable: false });
}

/** The error of one query, and how long it took. */
async function failure(): Promise<{ unavailable: boolean; tookMs: number }> {
	const elapsedMs = startStopwatch();
	const error = await sql`select 1`.execute(db).then(
		() => undefined,
		(reason: unknown) => reason,
	);
	return { unavailable: isDatabaseUnavailable(error), tookMs: elapsedMs() };
}

async function warm(): Promise<number[]> {
	const rows = await Promise.all(
		Array.from({ length: 4 }, () =>
			sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.05)`.execute(db),
		),
	);
	return rows.flatMap((result) => result.rows.map((row) => row.pid));
}

/** True when the promise rejects with an error that says so. */
async function isUnavailable(work: Promise<unknown>): Promise<boolean> {
	return await work.then(() => false, isDatabaseUnavailable);
}

test('a stopped server: busy and idle connections are lost, queries fail fast, and it is used again once it is back', async () => {
	await warm();
	const busy = isUnavailable(sql`select pg_sleep(0.4)`.execute(db));
	await eventually('the long query runs', async () => {
		const { rows } =
			await sql`select 1 from pg_stat_activity where query like '%pg_sleep(0.4)%' and pid <> pg_backend_pid()`.execute(
				db,
			);
		return rows.length > 0;
	});
	await server.stop();
	expect(await busy).toBe(true);
	for (let attempt = 0; attempt < 10; attempt++) {
		const { unavailable, tookMs } = await failure();
		expect(unavailable).toBe(true);
		expect(tookMs).toBeLessThan(patient(200));
	}
	expect(await isUnavailable(checkDatabase(db, 1_000))).toBe(true);
	server = await start();
	await checkDatabase(db, 10_000);
	expect(new Set(await warm()).size).toBe(4);
});

test('a connection that is held without a query when the server stops does not end the process', async () => {
	await db.connection().execute(async (held) => {
		await sql`select 1`.execute(held);
		await server.stop();
		await eventually('the loss is noticed', async () => await isUnavailable(sql`select 1`.execute(held)));
	});
	server = await start();
	await checkDatabase(db, 10_000);
});

test('a server that hangs: the query ends in time, its connection is closed, and others continue', async () => {
	const [hanging] = await warm();
	if (hanging === undefined) throw new Error('no connection');
	process.kill(hanging, 'SIGSTOP');
	try {
		const results = await Promise.all(Array.from({ length: 4 }, () => failure()));
		const failed = results.filter((result) => result.unavailable);
		expect(failed).toHaveLength(1);
		expect(failed[0]?.tookMs).toBeLessThan(patient(3_000));
		const pids = await warm();
		expect(new Set(pids).size).toBe(4);
		expect(pids).not.toContain(hanging);
	} finally {
		process.kill(hanging, 'SIGCONT');
	}
});

// Regression: the caller's own time-out was shorter, and counted as a failure of the service instead of its database.
test('within a request that has a deadline, a server that hangs is reported before the deadline', async () => {
	await warm();
	const deadlineMs = 300;
	const inRequest = () => withDeadline(deadlineMs, () => failure());
	for (const pid of await processesIn(server.dataDir)) process.kill(pid, 'SIGSTOP');
	try {
		// More than the pool has: some hang in a query, the others wait for a connection or for a new one to open.
		for (let round = 0; round < 2; round += 1) {
			for (const { unavailable, tookMs } of await Promise.all(Array.from({ length: 8 }, inRequest))) {
				expect(unavailable).toBe(true);
				expect(tookMs).toBeLessThan(deadlineMs);
			}
		}
	} finally {
		for (const pid of await processesIn(server.dataDir)) process.kill(pid, 'SIGCONT');
	}
	await eventually('it is used again', async () => !(await failure()).unavailable);
});

test('a server that accepts connections and is silent: no query waits longer than the connect timeout', async () => {
	const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
	await once(silent, 'listening');
	const address = silent.address();
	if (address === null || typeof address === 'string') throw new Error('not listening');
	const url = `postgres://a:b@127.0.0.1:${address.port}/c`;
	const other = createDatabase({ url, poolMax: 1, connectTimeoutMs: 300, applicationName: 'test', logger });
	const elapsedMs = startStopwatch();
	const waiting = Array.from({ length: 5 }, () => isUnavailable(sql`select 1`.execute(other)));
	expect(await Promise.all(waiting)).toEqual([true, true, true, true, true]);
	expect(elapsedMs()).toBeLessThan(patient(1_500));
	await other.destroy();
	silent.close();
});
