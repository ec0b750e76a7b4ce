import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { answerStatus, eventually } from '@paddock/testing';
import { expectFailure } from './expect-failure.ts';
import { type SentAnswer, type SentRequest, sendRequest } from './send-request.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';
const userId = randomUUID();

function order(gateway: BenchGateway, action: string, body: unknown, sent: Partial<SentRequest> = {}) {
	return gateway.send({
		method: 'POST',
		path: `/actuator/breakers/${action}`,
		headers: { 'Content-Type': 'application/json' },
		body: typeof body === 'string' ? body : JSON.stringify(body),
		token: gateway.identity.sign({ roles: ['ADMIN'], userId }),
		...sent,
	});
}

function fails({ status, headers, body }: SentAnswer, code: string): Record<string, unknown> {
	return expectFailure({ status, headers: headers as Record<string, string>, body }, status, code);
}

function anonymous(gateway: BenchGateway, action: string): Promise<SentAnswer> {
	return sendRequest(gateway.port, {
		method: 'POST',
		path: `/actuator/breakers/${action}`,
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ reason }),
	});
}

const reason = 'its database is being moved';

describe('a context that is forced open', () => {
	test('is left alone at once: 503 with the time until the order ends; health says who, why and until when', async () => {
		const [one, other] = [await bench.upstream(), await bench.upstream()];
		const gateway = await bench.gateway([one.url, other.url]);
		const answer = await order(gateway, 'horses/open', { reason, expiresInSeconds: 600 });
		expect(answer.status).toBe(200);
		const until = expect.stringMatching(/Z$/);
		expect(answer.json()).toMatchObject({
			success: true,
			message: 'Forced OPEN',
			data: {
				breakers: [
					{ context: 'horses', state: 'OPEN', forced: { reason, by: userId, until } },
					{ context: 'horses', state: 'OPEN', forced: { reason, by: userId, until } },
				],
				orders: [{ target: { context: 'horses' }, state: 'OPEN', reason, by: userId, until }],
			},
		});
		const refused = await gateway.send({ path });
		expect(refused.status).toBe(503);
		fails(refused, 'CIRCUIT_OPEN');
		expect(Number(refused.headers['retry-after'])).toBeGreaterThan(590);
		expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600);
		expect([...one.requests, ...other.requests]).toEqual([]);

		const health = await gateway.send({ path: '/actuator/health/horses' });
		expect(health.json()).toMatchObject({
			data: {
				status: 'DOWN',
				reason: 'CIRCUIT_OPEN',
				message: `Forced open: ${reason}`,
				instances: [{ breaker: { state: 'OPEN', forced: { reason, by: userId } } }, {}],
			},
		});
		const history = await gateway.send({ path: '/actuator/health/history' });
		expect(history.json()).toMatchObject({
			data: {
				items: expect.arrayContaining([
					expect.objectContaining({
						context: 'horses',
						what: 'breaker',
						from: 'AUTO',
						to: 'FORCED_OPEN',
						cause: expect.stringContaining(`${reason} (by ${userId}, until `),
					}),
				]),
			},
		});
		expect(await gateway.counted('gateway_circuit_breaker_forced', { upstream: 'horses-service' })).toBe(2);
		expect(await gateway.counted('gateway_circuit_breaker_state', { upstream: 'horses-service' })).toBe(4);
	});

	test('is so for instances that come later, and for no other context', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.start({
			services: { 'horses-service': [], 'members-service': [upstream.url] },
		});
		await order(gateway, 'horses/open', { reason });
		gateway.registry.set('horses-service', [upstream.url]);
		expect((await gateway.send({ path })).status).toBe(503);
		expect((await gateway.send({ path: '/api/members' })).status).toBe(200);
	});

	test('is itself again when the order’s time is over, without anybody’s doing', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		await order(gateway, 'horses/open', { reason, expiresInSeconds: 1 });
		expect((await gateway.send({ path })).status).toBe(503);
		await eventually('requests go through', async () => (await gateway.send({ path })).status === 200, 3_000);
		const history = await gateway.send({ path: '/actuator/health/history' });
		expect(history.json().data).toMatchObject({
			items: [{ from: 'FORCED_OPEN', to: 'AUTO', cause: 'its time is over' }, { to: 'FORCED_OPEN' }],
		});
		const openSeconds = await gateway.counted('gateway_circuit_breaker_opened_seconds_total', {
			upstream: 'horses-service',
		});
		expect(openSeconds).toBeGreaterThan(0.9);
		expect(openSeconds).toBeLessThan(1.6);
	});

	test('is itself again by order', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		await order(gateway, 'horses/open', { reason });
		const answer = await order(gateway, 'horses/auto', { reason: 'moved' });
		expect(answer.json()).toMatchObject({ data: { breakers: [{ state: 'CLOSED' }], orders: [] } });
		expect((await gateway.send({ path })).status).toBe(200);
	});
});

describe('one instance that is forced open', () => {
	test('gets nothing, the other everything', async () => {
		const [one, other] = [await bench.upstream(), await bench.upstream()];
		const gateway = await bench.gateway([one.url, other.url]);
		const id = encodeURIComponent(one.url.slice('http://'.length));
		await order(gateway, `horses/open?instance=${id}`, { reason });
		for (let round = 0; round < 10; round += 1) expect((await gateway.send({ path })).status).toBe(200);
		expect([one.requests.length, other.requests.length]).toEqual([0, 10]);
		expect((await gateway.send({ path: '/actuator/breakers' })).json()).toMatchObject({
			data: { orders: [{ target: { context: 'horses', instance: one.url.slice('http://'.length) } }] },
		});
	});
});

describe('a context that is forced closed', () => {
	const settings = { BREAKER_VOLUME: '3', BREAKER_OPEN_MS: '60000' };

	test('never opens, and opens as ever after the order', async () => {
		const upstream = await bench.upstream(answerStatus(503));
		const gateway = await bench.gateway([upstream.url], settings);
		await order(gateway, 'horses/close', { reason });
		for (let round = 0; round < 12; round += 1) await gateway.send({ method: 'POST', path, body: '{}' });
		expect(upstream.requests).toHaveLength(12);
		await order(gateway, 'horses/auto', { reason });
		for (let round = 0; round < 12; round += 1) await gateway.send({ method: 'POST', path, body: '{}' });
		expect(upstream.requests).toHaveLength(12 + 3);
	});

	test('is closed even where its breakers had opened', async () => {
		let answer = answerStatus(503);
		const upstream = await bench.upstream((...args) => answer(...args), { health: 503 });
		const gateway = await bench.gateway([upstream.url], settings);
		for (let round = 0; round < 4; round += 1) await gateway.send({ method: 'POST', path, body: '{}' });
		expect(upstream.requests).toHaveLength(3);
		answer = answerStatus(200);
		await order(gateway, 'horses/close', { reason });
		expect((await gateway.send({ path })).status).toBe(200);
	});
});

describe('an order is refused', () => {
	const body = { reason };
	const refusals: [string, number, string, (gateway: BenchGateway) => Promise<SentAnswer>][] = [
		['without a token', 401, 'UNAUTHENTICATED', (at) => anonymous(at, 'horses/open')],
		['with a bad one', 401, 'INVALID_TOKEN', (at) => order(at, 'horses/open', body, { token: 'x.y.z' })],
		[
			'with an expired one',
			401,
			'TOKEN_EXPIRED',
			(at) => order(at, 'horses/open', body, { token: at.identity.signExpired({ roles: ['ADMIN'] }) }),
		],
		[
			'from an officer',
			403,
			'FORBIDDEN',
			(at) => order(at, 'horses/open', body, { token: at.identity.sign({ roles: ['FEDERATION_OFFICER'] }) }),
		],
		['for no context', 404, 'NOT_FOUND', (at) => order(at, 'nothing/open', body)],
		['for no context of an object', 404, 'NOT_FOUND', (at) => order(at, '__proto__/open', body)],
		['for no action', 404, 'ROUTE_NOT_FOUND', (at) => order(at, 'horses/halfway', body)],
		['for no instance', 404, 'NOT_FOUND', (at) => order(at, 'horses/open?instance=nobody', body)],
		[
			'for two instances',
			400,
			'INVALID_QUERY_PARAMETER',
			(at) => order(at, 'horses/open?instance=a&instance=b', body),
		],
		[
			'with another parameter',
			400,
			'INVALID_QUERY_PARAMETER',
			(at) => order(at, 'horses/open?instances=a', body),
		],
		['without a reason', 400, 'VALIDATION_ERROR', (at) => order(at, 'horses/open', {})],
		['with an empty one', 400, 'VALIDATION_ERROR', (at) => order(at, 'horses/open', { reason: '  ' })],
		[
			'with a long one',
			400,
			'VALIDATION_ERROR',
			(at) => order(at, 'horses/open', { reason: 'x'.repeat(201) }),
		],
		[
			'for no time',
			400,
			'VALIDATION_ERROR',
			(at) => order(at, 'horses/open', { reason, expiresInSeconds: 0 }),
		],
		[
			'for ever',
			400,
			'VALIDATION_ERROR',
			(at) => order(at, 'horses/open', { reason, expiresInSeconds: 86_401 }),
		],
		[
			'for half a second',
			400,
			'VALIDATION_ERROR',
			(at) => order(at, 'horses/open', { reason, expiresInSeconds: 0.5 }),
		],
		['with more', 400, 'VALIDATION_ERROR', (at) => order(at, 'horses/open', { reason, by: 'somebody else' })],
		['as a list', 400, 'VALIDATION_ERROR', (at) => order(at, 'horses/open', [])],
		['as no JSON', 400, 'MALFORMED_JSON', (at) => order(at, 'horses/open', '{')],
		[
			'as text',
			415,
			'UNSUPPORTED_MEDIA_TYPE',
			(at) => order(at, 'horses/open', body, { headers: { 'Content-Type': 'text/plain' } }),
		],
		['by PUT', 405, 'METHOD_NOT_ALLOWED', (at) => order(at, 'horses/open', body, { method: 'PUT' })],
	];

	test.each(refusals)('%s: %i %s', async (_name, status, code, send) => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		const answer = await send(gateway);
		expect(answer.status).toBe(status);
		fails(answer, code);
		expect((await gateway.send({ path })).status).toBe(200);
		expect(gateway.opened.deps.operations.orders.list()).toEqual([]);
	});

	test('too often, whoever asks, so that tokens can’t be tried out here either', async () => {
		const gateway = await bench.gateway([], { RATE_LIMIT_ANONYMOUS: '2' });
		const statuses = [];
		for (let round = 0; round < 3; round += 1)
			statuses.push((await order(gateway, 'horses/open', body, { token: 'x.y.z' })).status);
		expect(statuses).toEqual([401, 401, 429]);
	});
});
