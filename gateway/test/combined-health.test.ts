import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { answerStatus, eventually, freePort } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();

interface Health {
	status: string;
	components: Record<string, { status: string; [key: string]: unknown }>;
}

interface Opened {
	instances: [{ breaker: { since: string; nextTryAt: string } }];
}

/** An instance whose `/health` does as told, and how often that was asked. */
async function instance(health: RequestListener) {
	const asked: number[] = [];
	const server = createServer((req, res) => {
		if (req.url === '/health') asked.push(performance.now());
		health(req, res);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	bench.closing(() => {
		server.closeAllConnections();
		server.close();
	});
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const says =
	(status: number, body = '{}'): RequestListener =>
	(_req, res) =>
		void res.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
const hangs: RequestListener = () => undefined;

interface Case {
	horses: string[];
	ping?: string[];
	settings?: Record<string, string>;
}

async function start({ horses, ping, settings = {} }: Case) {
	const well = (await instance(says(200))).url;
	const gateway = await bench.start({
		services: { 'horses-service': horses, 'members-service': [well], 'ping-service': ping ?? [well] },
		settings: { HEALTH_TIMEOUT_MS: '300', ...settings },
	});
	const read = async (path = '/actuator/health') => {
		const answer = await gateway.send({ path });
		return {
			status: answer.status,
			headers: answer.headers,
			...answer.json(),
			durationMs: answer.durationMs,
		};
	};
	const health = async () => {
		const answer = await read();
		return { ...answer, data: answer.data as unknown as Health };
	};
	return { gateway, read, health };
}

describe('health', () => {
	test('everything is well: UP and 200, each context, discovery and the gateway itself', async () => {
		const { health } = await start({ horses: [(await instance(says(200))).url] });
		const answer = await health();
		expect(answer).toMatchObject({
			status: 200,
			success: true,
			message: 'Status UP',
			data: { status: 'UP' },
		});
		expect(answer.headers['cache-control']).toBe('no-store');
		const { components } = answer.data;
		expect(Object.keys(components)).toEqual(['auth', 'members', 'horses', 'ping', 'discovery', 'gateway']);
		expect(Object.values(components).map(({ status }) => status)).toEqual(
			Array.from({ length: 6 }, () => 'UP'),
		);
		expect(components['horses']).toMatchObject({
			critical: true,
			latencyMs: expect.any(Number),
			instances: [
				{ status: 'UP', inFlight: 0, breaker: { state: 'CLOSED', since: expect.stringMatching(/Z$/) } },
			],
			discovery: { stale: false, rejected: 0 },
		});
	});

	const unwell: Record<string, [RequestListener, Record<string, unknown>]> = {
		'an error with its own words': [
			says(500, '{"message":"the stable burns"}'),
			{ status: 'DOWN', reason: 'ERROR', statusCode: 500, message: 'the stable burns' },
		],
		'an unavailable one without words': [
			says(503, 'null'),
			{ status: 'DOWN', reason: 'ERROR', statusCode: 503, message: '/health answered 503' },
		],
		'a redirect, which is not followed': [
			(_req, res) => void res.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
			{ status: 'DOWN', reason: 'ERROR', statusCode: 302 },
		],
		silence: [hangs, { status: 'DOWN', reason: 'TIMEOUT', message: 'No answer within 300 ms' }],
		'an answer that drips': [
			(_req, res) => {
				res.writeHead(200);
				const timer = setInterval(() => res.write(' '), 20);
				res.once('close', () => clearInterval(timer));
			},
			{ status: 'DOWN', reason: 'TIMEOUT' },
		],
		'an answer without end': [
			(_req, res) => void res.writeHead(200).end('x'.repeat(1_000_000)),
			{ status: 'DOWN', reason: 'ERROR' },
		],
		'a broken connection': [(req) => void req.socket.destroy(), { status: 'DOWN', reason: 'ERROR' }],
	};

	test.each(Object.entries(unwell))(
		'of a critical context: %s = DOWN and 503',
		async (_name, [listener, expected]) => {
			const { health, read } = await start({ horses: [(await instance(listener)).url] });
			const answer = await health();
			expect(answer).toMatchObject({ status: 503, success: false, data: { status: 'DOWN' } });
			expect(answer.data.components['horses']).toMatchObject(expected);
			expect(answer.data.components['members']?.status).toBe('UP');
			expect(await read('/actuator/health/horses')).toMatchObject({ status: 503, data: expected });
			expect(await read('/actuator/health/members')).toMatchObject({ status: 200, data: { status: 'UP' } });
		},
	);

	test.each(Object.entries(unwell))(
		'of an optional context: %s = DEGRADED and 200',
		async (_name, [listener, expected]) => {
			const well = (await instance(says(200))).url;
			const { health } = await start({ horses: [well], ping: [(await instance(listener)).url] });
			const answer = await health();
			expect(answer).toMatchObject({ status: 200, success: true, data: { status: 'DEGRADED' } });
			expect(answer.data.components['ping']).toMatchObject({ critical: false, ...expected });
		},
	);

	test('a refused connection is an ERROR, told without an address', async () => {
		const port = await freePort();
		const { health } = await start({ horses: [`http://127.0.0.1:${port}`] });
		const { components } = (await health()).data;
		expect(components['horses']).toMatchObject({ status: 'DOWN', reason: 'ERROR' });
		expect(String(components['horses']?.['message'])).not.toContain(String(port));
	});

	test('a name that resolves to nobody usable is an ERROR', async () => {
		const { health } = await start({ horses: ['http://no-such-host.invalid:80'] });
		expect((await health()).data.components['horses']).toMatchObject({ status: 'DOWN', reason: 'ERROR' });
	});

	test('no /health to ask is UNKNOWN and no reason for 503', async () => {
		const { health } = await start({ horses: [(await instance(says(404))).url] });
		const answer = await health();
		expect(answer).toMatchObject({ status: 200, data: { status: 'DEGRADED' } });
		expect(answer.data.components['horses']).toMatchObject({
			status: 'UNKNOWN',
			reason: 'NO_HEALTH_ENDPOINT',
			statusCode: 404,
		});
	});

	test('a context that the registry knows nothing of shows: NO_INSTANCES, DOWN and 503', async () => {
		const { health } = await start({ horses: [] });
		const answer = await health();
		expect(answer).toMatchObject({ status: 503, data: { status: 'DOWN' } });
		expect(answer.data.components['horses']).toMatchObject({
			status: 'DOWN',
			reason: 'NO_INSTANCES',
			instances: [],
		});
	});

	test('one of two instances is enough: DEGRADED and 200, each with its own state', async () => {
		const urls = [(await instance(says(200))).url, (await instance(says(500))).url];
		const { health } = await start({ horses: urls });
		const answer = await health();
		expect(answer).toMatchObject({ status: 200, data: { status: 'DEGRADED' } });
		expect(answer.data.components['horses']).toMatchObject({
			status: 'DEGRADED',
			reason: 'ERROR',
			statusCode: 500,
			instances: [
				{ status: 'UP', address: urls[0]?.slice('http://'.length) },
				{ status: 'DOWN', address: urls[1]?.slice('http://'.length) },
			],
		});
	});

	test('an open breaker is DOWN with CIRCUIT_OPEN, however well the instance says it is', async () => {
		const upstream = await bench.upstream(answerStatus(503));
		const { gateway, health } = await start({
			horses: [upstream.url],
			settings: { BREAKER_VOLUME: '3', BREAKER_OPEN_MS: '60000' },
		});
		for (let round = 0; round < 3; round += 1) await gateway.send({ path: '/api/horses' });
		const answer = await health();
		expect(answer.status).toBe(503);
		const { horses } = answer.data.components;
		expect(horses).toMatchObject({
			status: 'DOWN',
			reason: 'CIRCUIT_OPEN',
			instances: [{ status: 'DOWN', reason: 'CIRCUIT_OPEN', breaker: { state: 'OPEN', failureRate: 1 } }],
		});
		const { breaker } = (horses as unknown as Opened).instances[0];
		expect(Date.parse(breaker.nextTryAt) - Date.parse(breaker.since)).toBe(60_000);
	});
});

describe('asking for health', () => {
	test('takes one time-out, however many instances hang', async () => {
		const hanging = await Promise.all(Array.from({ length: 6 }, () => instance(hangs)));
		const { health } = await start({ horses: hanging.map(({ url }) => url) });
		const answer = await health();
		expect(answer.status).toBe(503);
		expect(answer.durationMs).toBeLessThan(1_000);
		const askedAt = hanging.flatMap(({ asked }) => asked);
		expect(askedAt).toHaveLength(6);
		expect(Math.max(...askedAt) - Math.min(...askedAt)).toBeLessThan(200);
	});

	test.each(['0', '1000'])(
		'1000 times at once asks each instance once (shared for %s ms)',
		async (sharedMs) => {
			const slow = await instance((_req, res) => void setTimeout(() => res.end('{}'), 150));
			const { gateway } = await start({ horses: [slow.url], settings: { HEALTH_SHARED_MS: sharedMs } });
			const { view } = gateway.opened.deps.operations;
			const results = await Promise.all(Array.from({ length: 1_000 }, () => view.read()));
			expect(new Set(results).size).toBe(1);
			expect(results[0]?.health.status).toBe('UP');
			expect(slow.asked).toHaveLength(1);
		},
	);

	test('again within the shared time asks nobody, and later everybody again', async () => {
		const one = await instance(says(200));
		const { health } = await start({ horses: [one.url], settings: { HEALTH_SHARED_MS: '300' } });
		await health();
		await health();
		expect(one.asked).toHaveLength(1);
		await eventually(
			'it is asked again',
			async () => {
				await health();
				return one.asked.length === 2;
			},
			2_000,
		);
	});

	test('says how old it is when the registry is lost: DEGRADED, 200, traffic goes on', async () => {
		const upstream = await bench.upstream();
		const { gateway, health, read } = await start({ horses: [upstream.url] });
		gateway.registry.set('horses-service', [upstream.url], { stale: true });
		const answer = await health();
		expect(answer).toMatchObject({ status: 200, data: { status: 'DEGRADED' } });
		expect(answer.data.components).toMatchObject({
			discovery: { status: 'DEGRADED', stale: true, ageSeconds: expect.any(Number), message: 'lost' },
			horses: { status: 'UP', discovery: { stale: true, ageSeconds: expect.any(Number) } },
		});
		expect((await read('/actuator/health/discovery')).status).toBe(200);
		expect((await gateway.send({ path: '/api/horses' })).status).toBe(200);
	});

	test.each(['gateway', 'discovery', 'horses', 'ping'])('for %s alone gives just that', async (component) => {
		const { read } = await start({ horses: [(await instance(says(200))).url] });
		expect(await read(`/actuator/health/${component}`)).toMatchObject({
			status: 200,
			data: { status: 'UP' },
		});
	});

	test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'nothing', 'masterdata', 'HORSES'])(
		'for %s is a 404 that names what there is',
		async (component) => {
			const { read } = await start({ horses: [(await instance(says(200))).url] });
			expect(await read(`/actuator/health/${component}`)).toMatchObject({
				status: 404,
				success: false,
				data: {
					code: 'NOT_FOUND',
					components: ['auth', 'members', 'horses', 'ping', 'discovery', 'gateway'],
				},
			});
		},
	);
});

describe('liveness', () => {
	test('depends on nobody: 200 at once while everything is down and the registry lost', async () => {
		const dead = await instance(hangs);
		const { gateway, read } = await start({ horses: [dead.url] });
		for (const service of ['auth-service', 'members-service', 'ping-service'])
			gateway.registry.set(service, [], { stale: true });
		expect(await read('/actuator/health/liveness')).toMatchObject({ status: 200, data: { status: 'UP' } });
		expect(dead.asked).toHaveLength(0);
	});
});
