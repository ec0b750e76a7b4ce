import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();

// A request waits only for the keys. It used to continue for a client that had disconnected in the meantime, and its
// bulkhead slot was never released.
test.each([
	['GET', ''],
	['POST', '{"a":1}'],
])('a %s whose client disconnects while waiting for the keys is not forwarded', async (method, body) => {
	const keyRequests: ServerResponse[] = [];
	let published = false;
	const auth = await bench.serve(
		createServer((_req, res) => {
			if (published) publish(res);
			else keyRequests.push(res);
		}),
	);
	const horses = await bench.upstream();
	const lines: string[] = [];
	const gateway = await bench.start({
		services: { 'auth-service': [auth], 'horses-service': [horses.url] },
		accessSink: { write: (line) => void lines.push(line) },
	});
	await eventually('the keys are requested', () => keyRequests.length > 0);
	const socket = connect(gateway.port, '127.0.0.1');
	const head = [
		`${method} /api/horses HTTP/1.1`,
		'Host: a',
		`Authorization: Bearer ${gateway.identity.sign()}`,
		...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
	];
	socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
	await once(socket, 'connect');
	await eventually('the request is in flight', async () => (await inFlight()) === 1);
	socket.resetAndDestroy();
	await eventually('the disconnect is logged', () => lines.some((line) => line.includes('499')));
	published = true;
	for (const res of keyRequests) publish(res);
	// A later request is forwarded after any remaining step of the first one.
	await eventually(
		'tokens can be verified',
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
