import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { eventually, rawRequest } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();
const statuses = (text: string) =>
	[...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

/** A gateway with an upstream whose responses the test releases. */
async function start() {
	const held: ServerResponse[] = [];
	const upstream = await bench.upstream((_req, res) => void held.push(res));
	const gateway = await bench.start({
		services: { 'horses-service': [upstream.url], 'ping-service': [upstream.url] },
	});
	return { held, upstream, gateway, request: requestOf(gateway.identity.sign()) };
}

const requestOf =
	(token: string) =>
	(line: string, ...headers: string[]) =>
		[`${line} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');

describe('requests on one connection', () => {
	it('are forwarded one after the other: a GET sees the effect of the POST before it', async () => {
		const { held, upstream, gateway, request } = await start();
		const body = ['Content-Type: application/json', 'Content-Length: 2'];
		const bytes = `${request('POST /api/horses', ...body)}{}${request('GET /api/horses', 'Connection: close')}`;
		const responded = rawRequest(gateway.port, bytes);
		await eventually('the POST has reached the service', () => held.length === 1);
		// Gives the second request time to arrive, measured in other requests.
		await gateway.send({ path: '/' });
		expect(upstream.requests.map(({ method }) => method)).toEqual(['POST']);
		held[0]?.end('{}');
		await eventually('the GET has reached the service', () => held.length === 2);
		held[1]?.end('{}');
		expect(statuses((await responded).text)).toEqual([200, 200]);
	});

	it('with garbage after a POST: the client gets the response to the POST', async () => {
		const { held, gateway, request } = await start();
		const body = ['Content-Type: application/json', 'Content-Length: 2'];
		const responded = rawRequest(
			gateway.port,
			`${request('POST /api/horses', ...body)}{}\x80garbage\r\n\r\n`,
		);
		await eventually('the POST has reached the service', () => held.length === 1);
		held[0]?.writeHead(201).end('{}');
		const { text, closedByPeer } = await responded;
		expect(statuses(text)).toEqual([201, 400]);
		expect(closedByPeer).toBe(true);
	});

	it.each([
		['x before chunked', ['Transfer-Encoding: x', 'Transfer-Encoding: chunked']],
		['a list', ['Transfer-Encoding: x, chunked']],
		['x alone', ['Transfer-Encoding: x']],
		['chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
		['a folded field', ['Transfer-Encoding: x,', ' chunked']],
	])(
		'after an invalid transfer coding (%s) are not forwarded, in the same packet or later',
		async (_name, headers) => {
			const { upstream, gateway, request } = await start();
			const bad = `${request('POST /api/horses', ...headers)}0\r\n\r\n`;
			const behind = request('GET /api/ping') + request('DELETE /api/horses/1');
			const together = await rawRequest(gateway.port, bad + behind);
			expect(statuses(together.text)).toEqual([400]);
			expect(together.closedByPeer).toBe(true);
			const socket = connect(gateway.port, '127.0.0.1');
			socket.on('error', () => undefined);
			const closed = new Promise((resolve) => socket.once('close', resolve));
			socket.on('data', () => socket.write(behind));
			socket.write(bad);
			await closed;
			expect(upstream.requests).toEqual([]);
		},
	);

	it.each(['TLS/1.2', 'h2c', 'TLS/1.2, h2c'])(
		'offers of %s are ignored on all routes, and neither ends the connection nor goes upstream',
		async (protocol) => {
			const upstream = await bench.upstream((_req, res) => void res.end('{}'));
			const gateway = await bench.start({
				services: { 'horses-service': [upstream.url], 'ping-service': [upstream.url] },
			});
			const request = requestOf(gateway.identity.sign());
			const offer = [
				'Connection: Upgrade, HTTP2-Settings',
				`Upgrade: ${protocol}`,
				'HTTP2-Settings: AAMAAABk',
			];
			const body = ['Content-Type: application/json', 'Content-Length: 2'];
			const { text } = await rawRequest(
				gateway.port,
				[
					request('GET /', ...offer),
					request('GET /actuator/health/liveness', ...offer),
					request('GET /api/ping', ...offer),
					`${request('POST /api/horses', ...body, ...offer)}{}`,
					request('GET /api/unknown', ...offer),
					request('GET /api/ping', 'Connection: close'),
				].join(''),
			);
			expect(statuses(text)).toEqual([200, 200, 200, 200, 404, 200]);
			expect(upstream.requests.map(({ method, body }) => [method, body])).toEqual([
				['GET', ''],
				['POST', '{}'],
				['GET', ''],
			]);
			for (const { headers } of upstream.requests) {
				expect(headers).not.toHaveProperty('upgrade');
				expect(headers).not.toHaveProperty('http2-settings');
			}
		},
	);
});
