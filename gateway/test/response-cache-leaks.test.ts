import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { RecordedRequest, TestUpstream } from '@paddock/testing';
import { sendRequest } from './send-request.ts';
import { testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/masterdata/countries';
const storable = 'public, max-age=60';

/** Masterdata that returns all headers of the request, as the worst service would. */
async function start(headers: Record<string, string | string[]> = {}, status = 200) {
	const masterdata: TestUpstream = await bench.upstream((_req, res: ServerResponse) => {
		const received = masterdata.requests.at(-1) as RecordedRequest;
		const body = JSON.stringify({ received: received.headers, count: masterdata.requests.length });
		res
			.writeHead(status, {
				'Content-Type': 'application/json',
				'Content-Length': Buffer.byteLength(body),
				'Cache-Control': storable,
				...headers,
			})
			.end(body);
	});
	const gateway = await bench.start({
		services: { 'masterdata-service': [masterdata.url] },
		settings: { CONTEXTS: 'auth,masterdata' },
	});
	const get = (sent: Record<string, string> = {}, at = path) =>
		sendRequest(gateway.port, { path: at, headers: sent });
	return { gateway, masterdata, get };
}

describe('the response cache', () => {
	test('stores nothing of a caller with a token, and serves such a caller nothing stored', async () => {
		const { gateway, masterdata, get } = await start();
		const own = await gateway.send({ path });
		expect(own.body).toContain('Bearer');
		const other = await get();
		expect(other.body).not.toContain('Bearer');
		expect((await gateway.send({ path })).body).toContain('Bearer');
		expect((await get()).body).toBe(other.body);
		expect(masterdata.requests).toHaveLength(3);
	});

	// Cache poisoning: one client's header in the response of all others.
	test.each([
		['Host', 'evil.example'],
		['X-Forwarded-Host', 'evil.example'],
		['X-Forwarded-Proto', 'evil'],
		['Forwarded', 'host=evil.example'],
		['X-Forwarded-Prefix', '/evil'],
		['X-Original-URL', '/evil'],
		['Accept-Language', 'evil'],
		['Cookie', 'session=evil'],
		['Origin', 'https://evil.example'],
		['Referer', 'https://evil.example'],
		['User-Agent', 'evil'],
		['Range', 'bytes=0-3'],
		['X-Evil', 'evil'],
		['traceparent', 'evil'],
		['If-None-Match', '"evil"'],
	])('is not changed for others by the header %s', async (name, value) => {
		const { get, masterdata } = await start();
		await get({ [name]: value });
		const { body } = await get();
		expect(masterdata.requests).toHaveLength(1);
		expect(body).not.toContain(value);
	});

	test('is not changed for others by the body of a GET', async () => {
		const { gateway, get, masterdata } = await start();
		const withBody = await sendRequest(gateway.port, { path, body: '{"evil":true}' });
		expect(withBody.headers['cache-status']).toBe('Paddock; fwd=bypass');
		expect((await get()).headers['cache-status']).toContain('uri-miss');
		expect(masterdata.requests.map(({ body }) => body.length)).toEqual([13, 0]);
	});

	test('does not store for others what a query with the same meaning returned', async () => {
		const { get, masterdata } = await start();
		for (const query of ['?a=1', '?a=%31', '?A=1', '?a=1&', '?a=1&a=2', '?b=2&a=1'])
			await get({}, path + query);
		expect(masterdata.requests).toHaveLength(6);
	});

	test.each<[string, Record<string, string | string[]>, number]>([
		['sets a cookie', { 'Set-Cookie': 'a=b' }, 200],
		['is private', { 'Cache-Control': 'private, max-age=60' }, 200],
		['forbids it', { 'Cache-Control': 'public, no-store' }, 200],
		['does not permit it', { 'Cache-Control': 'max-age=60' }, 200],
		['varies by a header that is not forwarded', { Vary: 'Cookie' }, 200],
		['varies by anything', { Vary: '*' }, 200],
		['is partial', { 'Content-Range': 'bytes 0-3/9' }, 206],
		['is a failure', {}, 500],
		['is not found', {}, 404],
	])('does not store a response that %s', async (_name, headers, status) => {
		const { get, masterdata } = await start(headers, status);
		for (let round = 0; round < 2; round += 1) expect((await get()).status).toBe(status);
		expect(masterdata.requests).toHaveLength(2);
	});

	test('does not store a response that is cut off', async () => {
		const { get, gateway } = await startRaw();
		expect((await get()).status).toBe(502);
		expect(await gateway.counted('gateway_response_cache_entries', {})).toBe(0);
	});

	test('does not store what a path that is not declared returns', async () => {
		const { get, masterdata } = await start();
		expect((await get({}, `${path}/`)).status).toBe(404);
		expect((await get({}, `${path}/no/such`)).status).toBe(401);
		for (let round = 0; round < 2; round += 1) await get({}, '/api/masterdata/age-classes/applicable');
		expect(masterdata.requests).toHaveLength(2);
	});
});

async function startRaw() {
	const masterdata = await bench.raw((socket) => {
		socket.end(
			`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: ${storable}\r\nContent-Length: 99\r\n\r\n{}`,
		);
	});
	const gateway = await bench.start({
		services: { 'masterdata-service': [masterdata.url] },
		settings: { CONTEXTS: 'auth,masterdata' },
	});
	return { gateway, get: () => sendRequest(gateway.port, { path }) };
}
