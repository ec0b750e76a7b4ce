import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();

// The way of a request waits for nothing but the keys, and goes on when they are there. It went on for clients that had
// left by then, too; their requests got a place at the instance that nothing ever took back.
test.each([
	['GET', ''],
	['POST', '{"a":1}'],
])('a %s whose client leaves while its token waits for the keys goes no further', async (method, body) => {
	const asked: ServerResponse[] = [];
	let published = false;
	const auth = await bench.serve(
		createServer((_req, res) => {
			if (published) publish(res);
			else asked.push(res);
		}),
	);
	const horses = await bench.upstream();
	const lines: string[] = [];
	const gateway = await bench.start({
		services: { 'auth-service': [auth], 'horses-service': [horses.url] },
		accessSink: { write: (line) => void lines.push(line) },
	});
	await eventually('the keys have been asked for', () => asked.length > 0);
	const socket = connect(gateway.port, '127.0.0.1');
	const head = [
		`${method} /api/horses HTTP/1.1`,
		'Host: a',
		`Authorization: Bearer ${gateway.identity.sign()}`,
		...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
	];
	socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
	await once(socket, 'connect');
	await eventually('the request is here', async () => (await inFlight()) === 1);
	socket.resetAndDestroy();
	await eventually('it is known that the client left', () => lines.some((line) => line.includes('499')));
	published = true;
	for (const res of asked) publish(res);
	// With the keys here, this one passes whatever of the other was still on its way.
	await eventually(
		'tokens can be judged',
		async () => (await gateway.send({ path: '/api/horses' })).status === 200,
	);
	expect(horses.requests.map((request) => request.method)).toEqual(['GET']);
	expect(gateway.inFlight()).toBe(0);

	function publish(res: ServerResponse): void {
		res.setHeader('Content-Type', 'application/jwk-set+json').end(JSON.stringify(gateway.identity.jwks));
	}

	function inFlight(): Promise<number> {
		return gateway.counted('gateway_requests_in_flight', {});
	}
});
