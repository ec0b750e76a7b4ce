import { request, type ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { eventually, respondWithEnvelope } from '@paddock/testing';
import { counts, path, type Respond, respondStorable, startCached } from './cached-masterdata.ts';
import { sendRequest } from './send-request.ts';
import { testBench } from './test-bench.ts';

const bench = testBench();
const start = (respond?: Respond, settings?: Record<string, string>) => startCached(bench, respond, settings);

describe('a stored response', () => {
	test('is served with its age, for HEAD without a body, and as 304 to a client that has it', async () => {
		const { get, clock, masterdata, gateway } = await start();
		const first = await get();
		expect(first.headers['cache-status']).toBe('Paddock; fwd=uri-miss; fwd-status=200; stored; ttl=60');
		clock.advance(12_000);
		const second = await get();
		expect([second.status, second.body, second.headers.age]).toEqual([200, first.body, '12']);
		expect(second.headers['cache-status']).toBe('Paddock; hit; ttl=48');
		expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);

		const head = await get({ method: 'HEAD' });
		expect([head.status, head.body, head.headers['content-length']]).toEqual([
			200,
			'',
			String(first.body.length),
		]);
		const known = await get({ headers: { 'If-None-Match': 'W/"1"' } });
		expect([known.status, known.body, known.headers.etag, known.headers['content-length']]).toEqual([
			304,
			'',
			'"1"',
			undefined,
		]);
		expect(masterdata.requests).toHaveLength(1);
		expect(await gateway.counted('gateway_response_cache_requests_total', { result: 'hit' })).toBe(3);
		expect(await gateway.counted('gateway_response_cache_entries', {})).toBe(1);
	});

	test('that is not stored is 304, too, to a client that has it, and its connection is used again', async () => {
		const { get, masterdata } = await start((res) =>
			respondStorable(res, {}, { ETag: '"1"', 'Cache-Control': 'private' }),
		);
		for (const method of ['GET', 'HEAD']) {
			const known = await get({ method, headers: { 'If-None-Match': 'W/"1"' } });
			expect([known.status, known.body, known.headers.etag, known.headers['content-length']]).toEqual([
				304,
				'',
				'"1"',
				undefined,
			]);
			expect(known.headers['cache-status']).toBe('Paddock; fwd=uri-miss; fwd-status=200');
		}
		expect((await get({ headers: { 'If-None-Match': '"2"' } })).status).toBe(200);
		expect([masterdata.requests.length, masterdata.connections()]).toEqual([3, 1]);
	});

	test('is not used after the clock has been set back', async () => {
		const { get, clock } = await start();
		await get();
		clock.advance(-3_600_000);
		const after = await get();
		expect([counts(after), after.headers.age]).toEqual([2, undefined]);
	});

	test('is counted by the rate limit', async () => {
		const { get } = await start(undefined, { RATE_LIMIT_ANONYMOUS: '2' });
		const statuses = [];
		for (let round = 0; round < 3; round += 1) statuses.push((await get()).status);
		expect(statuses).toEqual([200, 200, 429]);
	});

	test('is one for each path and query', async () => {
		const { get, masterdata } = await start();
		for (const query of ['', '?page=2', '?page=3', '?page=2', '']) await get({ path: `${path}${query}` });
		expect(masterdata.requests.map(({ url }) => url)).toEqual([path, `${path}?page=2`, `${path}?page=3`]);
	});

	test('is one for all unknown parameters of a path that ignores them, which the service does not get', async () => {
		const calendar = '/api/events/calendar.ics';
		const events = await bench.upstream((_req, res) => respondStorable(res, {}));
		const gateway = await bench.start({
			services: { 'events-service': [events.url] },
			settings: { CONTEXTS: 'auth,events' },
		});
		const get = (query: string) => sendRequest(gateway.port, { path: `${calendar}${query}` });
		for (const query of [
			'',
			'?',
			'?fbclid=1',
			'?fbclid=2&utm_source=x&x[]=1&x[]=2',
			'?%66bclid=%zz',
			'?&&=&Discipline=A',
		])
			expect((await get(query)).status).toBe(200);
		const known = ['?discipline=JUMPING', '?fbclid=3&discipline=JUMPING&y', '?%64iscipline=JUMPING&fbclid'];
		for (const query of known) expect((await get(query)).status).toBe(200);
		expect(events.requests.map(({ url }) => url)).toEqual([
			calendar,
			`${calendar}?discipline=JUMPING`,
			`${calendar}?%64iscipline=JUMPING`,
		]);
		expect(await gateway.counted('gateway_response_cache_entries', {})).toBe(3);
	});

	test('is one for each value of the headers that Vary names', async () => {
		const { get, masterdata } = await start((res, _count, { headers }) =>
			respondStorable(res, { encoding: headers['accept-encoding'] ?? 'none' }, { Vary: 'Accept-Encoding' }),
		);
		for (let round = 0; round < 2; round += 1) {
			expect((await get()).body).toContain('"none"');
			for (const accepted of ['gzip', 'gzip, deflate, br', '*'])
				expect((await get({ headers: { 'Accept-Encoding': accepted } })).body).toContain('"gzip"');
			expect((await get({ headers: { 'Accept-Encoding': 'gzip;q=0' } })).body).toContain('"gzip;q=0"');
		}
		expect(masterdata.requests).toHaveLength(3);
	});

	test('is not used for a client that may not accept its media type', async () => {
		const { get, masterdata } = await start();
		await get();
		const others = ['text/html', 'application/json;version=2', 'application/json;q=0, */*'];
		for (const Accept of others) await get({ headers: { Accept } });
		expect(masterdata.requests.map(({ headers }) => headers.accept)).toEqual([undefined, ...others]);
	});

	test('is used for a client that accepts its media type with its charset', async () => {
		const { get, masterdata } = await start();
		await get();
		await get({ headers: { Accept: 'text/html, application/json; charset=UTF-8; q=0.5' } });
		expect(masterdata.requests).toHaveLength(1);
	});

	test('is fetched from the primary database, whatever the client accepts', async () => {
		const { get, masterdata } = await start();
		await get({ headers: { 'Cache-Control': 'max-stale' } });
		expect(masterdata.requests.map(({ headers }) => headers['cache-control'])).toEqual(['no-cache']);
	});
});

// The machine may be busy; followers wait for a quarter of the response timeout.
const patient = { RESPONSE_TIMEOUT_MS: '60000', DEADLINE_MS: '60000', BREAKER_WINDOW_MS: '180000' };

describe('concurrent requests', () => {
	test('are one request to the service, which a client that leaves does not end', async () => {
		const open: ServerResponse[] = [];
		const { get, gateway, masterdata } = await start((res) => open.push(res), patient);
		const leaving = request({ port: gateway.port, path, agent: false }).end();
		const left = new Promise((resolve) => leaving.on('error', resolve));
		await eventually('the service is called', () => open.length === 1);
		const others = Array.from({ length: 20 }, () => get());
		await eventually(
			'all have arrived',
			async () => (await gateway.counted('gateway_requests_in_flight', {})) === 21,
		);
		leaving.destroy();
		await left;
		respondStorable(open[0] as ServerResponse, { count: 1 });
		expect((await Promise.all(others)).map(counts)).toEqual(Array(20).fill(1));
		expect(masterdata.requests).toHaveLength(1);
		expect(
			await gateway.counted('gateway_response_cache_requests_total', { result: 'collapsed' }),
		).toBeGreaterThan(0);
	});

	test('do not wait for one that is slow', async () => {
		const slow: ServerResponse[] = [];
		const { get } = await start((res, count) => {
			if (count === 1) slow.push(res);
			else respondStorable(res, { count });
		});
		const first = get();
		await eventually('the service is called', () => slow.length === 1);
		expect(counts(await get())).toBe(2);
		expect((await get()).headers['cache-status']).toContain('; stored');
		expect((await get()).headers['cache-status']).toContain('hit');
		respondStorable(slow[0] as ServerResponse, { count: 1 });
		expect(counts(await first)).toBe(1);
	});
});

describe('a write', () => {
	test('invalidates its collection, and what is being fetched of it', async () => {
		const open: ServerResponse[] = [];
		const { get, gateway, respond } = await start();
		for (const each of [path, `${path}/active`, '/api/masterdata/states']) await get({ path: each });
		respond((res) => open.push(res));
		const before = get({ path: `${path}?page=9` });
		await eventually('the service is called', () => open.length === 1);
		respond((res, count) => respondStorable(res, { count }));
		await gateway.send({ method: 'PUT', path: `${path}/1`, body: '{}' });
		for (const each of [path, `${path}/active`])
			expect((await get({ path: each })).headers['cache-status']).toContain('uri-miss');
		expect((await get({ path: '/api/masterdata/states' })).headers['cache-status']).toContain('hit');
		expect((await get({ path: `${path}?page=9` })).headers['cache-status']).toContain('uri-miss');
		respondStorable(open[0] as ServerResponse, { count: 0 });
		await before;
	});

	test('that is refused invalidates nothing', async () => {
		const { get, gateway, respond } = await start();
		await get();
		respond((res) => respondWithEnvelope(res, 403, null));
		await gateway.send({ method: 'POST', path, body: '{}' });
		expect((await get()).headers['cache-status']).toContain('hit');
	});
});

test('a request may require a confirmed response, or forbid a stored one', async () => {
	const { get, masterdata, clock } = await start();
	const getLater = (headers: Record<string, string>) => {
		clock.advance(1_000);
		return get({ headers });
	};
	await get({ headers: { 'Cache-Control': 'no-store' } });
	expect((await get()).headers['cache-status']).toContain('uri-miss');
	for (const headers of [
		{ 'Cache-Control': 'no-cache' },
		{ 'Cache-Control': 'max-age=0' },
		{ Pragma: 'no-cache' },
	])
		await getLater(headers);
	expect(masterdata.requests.length).toBe(5);
});

// RFC 9111 §5.2.1.7. The directive was ignored.
test('a request with only-if-cached gets a stored response or 504, which no objective counts', async () => {
	const { get, clock, masterdata, gateway } = await start();
	const headers = { 'Cache-Control': 'max-age=1000, Only-If-Cached' };
	const missing = await get({ headers });
	expect([missing.status, missing.json().data['code']]).toEqual([504, 'NOT_CACHED']);
	expect((await get({ method: 'HEAD', headers })).status).toBe(504);
	expect(masterdata.requests).toEqual([]);
	const { body } = await get();
	const stored = await get({ headers });
	expect([stored.status, stored.body]).toEqual([200, body]);
	expect((await get({ headers: { ...headers, 'If-None-Match': 'W/"1"' } })).status).toBe(304);
	// Not for this caller, not by its other directive, or not any more.
	const authorization = `Bearer ${gateway.identity.sign()}`;
	expect((await get({ headers: { ...headers, Authorization: authorization } })).status).toBe(504);
	expect((await get({ headers: { 'Cache-Control': 'only-if-cached, no-store' } })).status).toBe(504);
	// Nothing of a private path is ever stored; a write is not concerned.
	expect((await gateway.send({ path: '/auth/profile', headers })).status).toBe(504);
	expect(masterdata.requests).toHaveLength(1);
	clock.advance(100_000_000);
	expect((await get({ headers })).status).toBe(504);
	expect(masterdata.requests).toHaveLength(1);
	expect((await gateway.send({ method: 'POST', path, headers, body: '{}' })).status).not.toBe(504);
	const counted = (labels: object) => gateway.counted('gateway_requests_total', { status: '504', ...labels });
	expect([await counted({}), await counted({ context: 'gateway' })]).toEqual([6, 6]);
});

test('the memory is bounded, and 0 turns the cache off', async () => {
	const small = await start((res, count) => respondStorable(res, { count, text: 'x'.repeat(5_000) }), {
		RESPONSE_CACHE_BYTES: '100000',
	});
	for (let page = 0; page < 40; page += 1) await small.get({ path: `${path}?page=${page}` });
	expect(await small.gateway.counted('gateway_response_cache_bytes', {})).toBeLessThanOrEqual(100_000);
	expect(await small.gateway.counted('gateway_response_cache_entries', {})).toBeLessThan(15);
	const varying = await start((res) => respondStorable(res, {}, { Vary: 'Accept' }));
	await varying.get({ headers: { Accept: `*/*;${'x'.repeat(10_000)}` } });
	expect(await varying.gateway.counted('gateway_response_cache_bytes', {})).toBeGreaterThan(10_000);
	const off = await start(undefined, { RESPONSE_CACHE_BYTES: '0' });
	for (let round = 0; round < 2; round += 1)
		expect((await off.get()).headers['cache-status']).toBeUndefined();
	expect(off.masterdata.requests).toHaveLength(2);
});
