import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { readBody } from './read-body.ts';

const server = createServer();
afterEach(() => void server.close());

// Whoever waits for keys first reads the body only then; the end of the connection had been told before that.
test('a body whose sender left before anybody read it is refused, not waited for without end', async () => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
	socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
	const [req] = (await once(server, 'request')) as [IncomingMessage];
	req.on('error', () => undefined);
	socket.resetAndDestroy();
	await new Promise((resolve) => req.once('close', resolve));
	await expect(readBody(req, 1_000)).rejects.toMatchObject({ code: 'MALFORMED_REQUEST' });
});
