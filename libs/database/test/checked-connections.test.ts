import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@paddock/database';
import { withDeadline } from '@paddock/resilience';
import { silentLogger } from '@paddock/telemetry';
import { eventually } from '@paddock/testing';
import { sql } from 'kysely';

// AuthenticationOk, CommandComplete and ReadyForQuery: https://www.postgresql.org/docs/current/protocol-message-formats.html
const ready = Buffer.from('Z\0\0\0\x05I', 'latin1');
const loggedIn = Buffer.concat([Buffer.from('R\0\0\0\x08\0\0\0\0', 'latin1'), ready]);
const completed = Buffer.concat([Buffer.from('C\0\0\0\x0dSELECT 0\0', 'latin1'), ready]);

const connectTimeoutMs = 1_000;
let server: Server;
/** The queries in the order of their arrival. */
let received: { readonly text: string; readonly socket: Socket }[];
/** Whether the server responds to queries. */
let responding: boolean;
let db: Database<unknown>;

beforeEach(async () => {
	[received, responding] = [[], false];
	server = createServer((socket) => {
		socket.on('error', () => {}); // The client closes the connection.
		socket.once('data', () => {
			socket.write(loggedIn);
			socket.on('data', (message) => {
				received.push({ text: message.toString('latin1'), socket });
				if (responding) socket.write(completed);
			});
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	db = createDatabase<unknown>({
		url: `postgres://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/c?target_session_attrs=primary`,
		poolMax: 1,
		connectTimeoutMs,
		applicationName: 'test',
		logger: silentLogger(),
	});
});
afterEach(async () => {
	await db.destroy();
	server.close();
});

/** Runs a query. @returns the message of its error */
function run(text: string): Promise<string | undefined> {
	return sql
		.raw(text)
		.execute(db)
		.then(
			() => undefined,
			(error: Error) => error.message,
		);
}

async function arrived(count: number, part: string): Promise<Socket> {
	await eventually(`query ${count}`, () => received.length === count);
	const { text, socket } = received[count - 1] ?? {};
	expect(text).toContain(part);
	if (socket === undefined) throw new Error('no query');
	return socket;
}

// Regression: the connection was neither in use nor released, and the pool stayed full.
test('a connection is not lost if the time-out of the pool elapses while it is checked', async () => {
	const first = run('first');
	(await arrived(1, 'pg_is_in_recovery')).write(completed);
	const busy = await arrived(2, 'first');
	const [second, third] = [run('second'), run('third')];
	// So the time limit of the check ends half a time-out later than that of the pool.
	await withDeadline(connectTimeoutMs / 2, () => run('fourth'));
	busy.destroy();
	expect(await first).toContain('terminated');
	const checked = await arrived(3, 'pg_is_in_recovery');
	expect(await third).toContain('timeout exceeded');
	responding = true;
	checked.write(completed);
	await second;
	expect(await run('fifth')).toBeUndefined();
});
