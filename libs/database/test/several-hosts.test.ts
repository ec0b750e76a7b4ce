import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createDatabase, type Database, withClient } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, eventually, freePort, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import { checkDatabase } from '../src/check-database.ts';
import { isDatabaseUnavailable } from '../src/database-errors.ts';

// AuthenticationOk and ReadyForQuery: https://www.postgresql.org/docs/current/protocol-message-formats.html
const loggedIn = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');

let testDatabase: TestDatabase;
let databases: Database<unknown>[];
let servers: Server[];
let sockets: Socket[];

beforeEach(async () => {
	testDatabase = await createTestDatabase({ name: 'empty', prepare: async () => {} });
	[databases, servers, sockets] = [[], [], []];
});
afterEach(async () => {
	for (const socket of sockets) socket.destroy();
	for (const server of servers) server.close();
	await Promise.all(databases.map((db) => db.destroy()));
	await testDatabase.drop();
});

/** The test database as the last of several hosts. */
function open(others: readonly string[], target: string, connectTimeoutMs: number): Database<unknown> {
	const { host } = new URL(testDatabase.url);
	const url = `${testDatabase.url.replace(`@${host}/`, `@${[...others, host].join(',')}/`)}&target_session_attrs=${target}`;
	const db = createDatabase<unknown>({
		url,
		connectTimeoutMs,
		applicationName: 'test',
		logger: silentLogger(),
	});
	databases.push(db);
	return db;
}

/** A host that accepts connections, sends the bytes after the first message, and then stays silent. */
async function startSilentHost(greeting = Buffer.alloc(0)): Promise<string> {
	const server = createServer((socket) => {
		sockets.push(socket.resume());
		socket.on('error', () => {}); // The client closes the connection.
		socket.once('data', () => socket.write(greeting));
	}).listen(0, '127.0.0.1');
	servers.push(server);
	await once(server, 'listening');
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a database with several hosts', () => {
	// Regression: the caller's deadline ended each attempt before the failure of the host was known.
	test('is used at the next host if the first is silent for longer than all callers wait', async () => {
		const db = open([await startSilentHost()], 'any', 600);
		await expect(checkDatabase(db, 100)).rejects.toThrow('no database connection within');
		const isReady = () =>
			checkDatabase(db, 100).then(
				() => true,
				() => false,
			);
		await eventually('a check passes', isReady);
	});

	// Regression: pg's error has no code, and became a 500.
	test('is unavailable if a host is silent when it is checked, and is then used at the next one', async () => {
		const host = await startSilentHost(loggedIn);
		const db = open([host], 'primary', 1_000);
		const port = await sql<{ port: number }>`select inet_server_port() as port`.execute(db);
		expect(port.rows).toEqual([{ port: Number(new URL(testDatabase.url).port) }]);

		const silent = createDatabase<unknown>({
			url: `postgres://a:b@${host}/c?target_session_attrs=primary`,
			connectTimeoutMs: 400,
			applicationName: 'test',
			logger: silentLogger(),
		});
		databases.push(silent);
		const error = await sql`select 1`.execute(silent).catch((reason: unknown) => reason);
		expect(error).toMatchObject({ message: 'Query read timeout' });
		expect(isDatabaseUnavailable(error)).toBe(true);
	});

	test('fails with the error of the unreachable host, not with that of the standby after it', async () => {
		const { pathname } = new URL(testDatabase.url);
		await withClient(testDatabase.url, (client) =>
			client.query(`alter database "${pathname.slice(1)}" set default_transaction_read_only = on`),
		);
		const db = open([`127.0.0.1:${await freePort()}`], 'read-write', 1_000);
		await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	});
});
