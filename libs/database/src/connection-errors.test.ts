import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { sql } from 'kysely';
import { createDatabase } from './database.ts';
import { isDatabaseError } from './database-errors.ts';

// A read replica whose TLS failed for new connections was neither counted by its breaker nor logged.
test.each([
	['is refused by the server', 'N', /does not support SSL/],
	['fails in its handshake', 'S', /wrong version number/],
])('TLS that %s is an error of the database; a bug is not', async (_, response, message) => {
	const server = createServer((socket) => {
		const respond = (text: string) => socket.once('data', () => socket.write(text));
		socket.on('error', () => {});
		respond(response).once('data', () => respond('no TLS'));
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	const url = `postgres://a:b@127.0.0.1:${port}/c?sslmode=require`;
	const db = createDatabase({ url, applicationName: 'test', logger: silentLogger() });
	const error = await sql`select 1`.execute(db).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(String(error)).toMatch(message);
	expect(isDatabaseError(error)).toBe(true);
	expect(isDatabaseError(new TypeError('not a function'))).toBe(false);
	await db.destroy();
	server.close();
});
