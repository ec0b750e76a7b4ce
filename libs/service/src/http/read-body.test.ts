import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { listen } from './http-server.ts';
import { readBody } from './json-body.ts';

const server = createServer();
afterEach(() => void server.close());

// A request that waits for keys reads its body afterwards, when the connection may already have closed.
test('a body whose sender disconnected before it was read is refused, not awaited forever', async () => {
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

test('a request without a body has an empty one, although its stream is over before anybody reads', async () => {
	const bodies: unknown[] = [];
	const http = await listen({
		listener: (req, res) =>
			void readBody(req, 1_000)
				.catch(String)
				.then((body) => res.end(String(bodies.push(body)))),
		host: '127.0.0.1',
		port: 0,
		keepAliveTimeoutMs: 1_000,
		headersTimeoutMs: 1_000,
		requestTimeoutMs: 1_000,
		headerBytesMax: 16_384,
		now: () => new Date(),
	});
	const socket = connect(http.port, '127.0.0.1');
	// One without a length, one of length 0; both arrive at once.
	socket.write(
		'POST / HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
	);
	for await (const _ of socket);
	await http.close(1_000);
	expect(bodies).toEqual([Buffer.alloc(0), Buffer.alloc(0)]);
});
