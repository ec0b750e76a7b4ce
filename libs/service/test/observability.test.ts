import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, rawRequest } from '@paddock/testing';
import { toyId } from './toy-routes.ts';
import { runToyService, type ToyService } from './toy-service.ts';

let toys: ToyService;
let databaseWorks = true;
beforeAll(async () => {
	const check = async () => {
		if (!databaseWorks) throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
	};
	toys = await runToyService({ checks: [{ name: 'database', check }] });
});
afterAll(() => toys.close());

const whoAmI = async (headers: Record<string, string>) => {
	const { data, headers: responded } = await toys.send('GET', '/whoami', { headers });
	return { data, requestId: responded.get('X-Request-Id'), traceparent: responded.get('traceparent') };
};

async function lineOf(requestId: unknown) {
	const find = () =>
		toys.log.find((line) => line['requestId'] === requestId && line['message'] === 'request');
	await eventually(`the line of ${requestId}`, () => find() !== undefined);
	return find();
}

describe('the request id', () => {
	test.each(['X-Request-Id', 'X-Correlation-ID'])('is taken from %s', async (name) => {
		const { data, requestId } = await whoAmI({ [name]: 'Call-7_a.b' });
		expect([data['requestId'], requestId]).toEqual(['Call-7_a.b', 'Call-7_a.b']);
	});

	test.each(['', 'a b', 'a"b', 'x'.repeat(65), '<script>', 'a,b', '\u00e4'])(
		'is made where "%s" is sent',
		async (id) => {
			expect((await whoAmI({ 'X-Request-Id': id })).requestId).toMatch(/^[0-9a-f-]{36}$/);
		},
	);

	test('is made where two are sent, and another one for each request', async () => {
		const raw = () =>
			rawRequest(
				toys.port,
				'GET /toys/active HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\r\nX-Request-Id: b\r\nConnection: close\r\n\r\n',
			);
		const [one, two] = [await raw(), await raw()];
		expect(one.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
		expect(two.headers['x-request-id']).not.toBe(one.headers['x-request-id']);
	});

	test('is in the failure that it belongs to', async () => {
		const { data } = await toys.send('GET', '/nope', { headers: { 'X-Request-Id': 'lost-1' } });
		expect(data['requestId']).toBe('lost-1');
	});
});

test("the caller's trace continues with a new span", async () => {
	const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
	const { requestId, traceparent } = await whoAmI({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
	expect(traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
	expect(traceparent).not.toContain('00f067aa0ba902b7');
	expect(await lineOf(requestId)).toMatchObject({ traceId });
});

test('the access log has the route, and no secrets of the request', async () => {
	const token = toys.identity.sign();
	const { headers } = await toys.send('PUT', `/toys/${toyId}?password=hunter22`, {
		body: { name: 'hunter23', password: 'hunter24' },
		headers: { Authorization: `Bearer ${token}`, Cookie: 'session=hunter25' },
	});
	const line = await lineOf(headers.get('X-Request-Id'));
	expect(line).toMatchObject({ method: 'PUT', route: '/toys/{id}', path: `/toys/${toyId}`, status: 400 });
	const all = JSON.stringify(toys.log);
	for (const secret of ['hunter2', token, token.split('.')[2] ?? token]) expect(all).not.toContain(secret);
});

test('a path cannot fill the log', async () => {
	const { headers } = await toys.send('GET', `/${'a'.repeat(20_000)}`);
	expect(JSON.stringify(await lineOf(headers.get('X-Request-Id'))).length).toBeLessThan(2_000);
});

describe('metrics', () => {
	test('count by declared route, known method and status', async () => {
		const before = toys.log.length;
		for (const path of ['/nope/a', '/nope/b', '/toys/1', '/toys/2']) await toys.send('GET', path);
		await rawRequest(toys.port, 'PURGE /toys HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
		await eventually('all are counted', () => toys.log.length >= before + 5);
		const { text, headers } = await toys.send('GET', '/metrics');
		expect(headers.get('Content-Type')).toContain('text/plain');
		const routes = [...text.matchAll(/_count\{.*?route="([^"]*)".*?method="([^"]*)"/g)].map(
			([, ...found]) => found,
		);
		expect(text).not.toContain('nope');
		expect(text).not.toMatch(/route="\/toys\/\d/);
		expect(routes).toEqual(
			expect.arrayContaining([
				['unmatched', 'GET'],
				['/toys/{id}', 'GET'],
				['/toys', 'OTHER'],
			]),
		);
		expect(new Set(routes.map(([, method]) => method))).not.toContain('PURGE');
	});
});

describe('health', () => {
	test('is ready while all checks pass', async () => {
		for (const path of ['/health', '/health/readiness']) {
			const { status, data, headers } = await toys.send('GET', path);
			expect([status, headers.get('Cache-Control')]).toEqual([200, 'no-store']);
			expect(data).toEqual({ status: 'UP', draining: false, components: { database: { status: 'UP' } } });
		}
	});

	test('is not ready without its database, but alive, and includes no address', async () => {
		databaseWorks = false;
		const { status, data, text } = await toys.send('GET', '/health');
		const alive = await toys.send('GET', '/health/liveness');
		databaseWorks = true;
		expect([status, JSON.parse(text)]).toEqual([
			503,
			expect.objectContaining({ success: false, message: 'Not ready; database: no valid response' }),
		]);
		expect(data).toMatchObject({
			status: 'DOWN',
			components: { database: { status: 'DOWN', details: { error: 'no valid response' } } },
		});
		expect(text).not.toContain('10.0.0.7');
		expect(alive.status).toBe(200);
	});

	test('is not ready during the shutdown', async () => {
		toys.draining = true;
		const { status, data } = await toys.send('GET', '/health');
		toys.draining = false;
		expect([status, data['draining']]).toEqual([503, true]);
	});

	test.each(['/health', '/health/readiness', '/health/liveness', '/metrics'])(
		'%s supports GET only; others get 405 in an envelope',
		async (path) => {
			const { status, headers } = await toys.send('POST', path);
			expect([status, headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
			const options = await fetch(`http://127.0.0.1:${toys.port}${path}`, { method: 'OPTIONS' });
			expect([options.status, options.headers.get('Allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
			expect((await toys.send('HEAD', path)).status).toBe(200);
		},
	);

	test('is requested every few seconds and leaves no lines in the log', () => {
		expect(toys.log.filter((line) => String(line['route']).startsWith('/health'))).toEqual([]);
	});
});
