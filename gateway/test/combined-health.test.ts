import type { RequestListener } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { freePort, respondWithStatus } from '@paddock/testing';
import { hangs, healthBench, respondsWith } from './health-bench.ts';

const bench = healthBench();

interface Opened {
	instances: [{ breaker: { since: string; nextTryAt: string } }];
}

describe('health', () => {
	test('all healthy: UP and 200, with each context, discovery and the gateway', async () => {
		const { health } = await bench.start({ horses: [(await bench.instance(respondsWith(200))).url] });
		const response = await health();
		expect(response).toMatchObject({
			status: 200,
			success: true,
			message: 'Status UP',
			data: { status: 'UP' },
		});
		expect(response.headers['cache-control']).toBe('no-store');
		const { components } = response.data;
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

	const unhealthy: Record<string, [RequestListener, Record<string, unknown>]> = {
		'an error with a message': [
			respondsWith(500, '{"message":"the stable burns"}'),
			{ status: 'DOWN', reason: 'ERROR', statusCode: 500, message: 'the stable burns' },
		],
		'an error without a message': [
			respondsWith(503, 'null'),
			{ status: 'DOWN', reason: 'ERROR', statusCode: 503, message: '/health responded with 503' },
		],
		'a redirect, which is not followed': [
			(_req, res) => void res.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
			{ status: 'DOWN', reason: 'ERROR', statusCode: 302 },
		],
		silence: [hangs, { status: 'DOWN', reason: 'TIMEOUT', message: 'No response within 1000 ms' }],
		'a response that drips': [
			(_req, res) => {
				res.writeHead(200);
				const timer = setInterval(() => res.write(' '), 20);
				res.once('close', () => clearInterval(timer));
			},
			{ status: 'DOWN', reason: 'TIMEOUT' },
		],
		'an endless response': [
			(_req, res) => void res.writeHead(200).end('x'.repeat(1_000_000)),
			{ status: 'DOWN', reason: 'ERROR' },
		],
		'a broken connection': [(req) => void req.socket.destroy(), { status: 'DOWN', reason: 'ERROR' }],
	};

	const settingsFor = ({ reason }: { readonly reason?: unknown }): Record<string, string> =>
		reason === 'TIMEOUT' ? { HEALTH_TIMEOUT_MS: '1000' } : {};

	test.each(Object.entries(unhealthy))(
		'of a critical context: %s = DOWN and 503',
		async (_name, [listener, expected]) => {
			const { health, read } = await bench.start({
				horses: [(await bench.instance(listener)).url],
				settings: settingsFor(expected),
			});
			const response = await health();
			expect(response).toMatchObject({ status: 503, success: false, data: { status: 'DOWN' } });
			expect(response.data.components['horses']).toMatchObject(expected);
			expect(response.data.components['members']?.status).toBe('UP');
			expect(await read('/actuator/health/horses')).toMatchObject({ status: 503, data: expected });
			expect(await read('/actuator/health/members')).toMatchObject({ status: 200, data: { status: 'UP' } });
		},
	);

	test.each(Object.entries(unhealthy))(
		'of an optional context: %s = DEGRADED and 200',
		async (_name, [listener, expected]) => {
			const healthy = (await bench.instance(respondsWith(200))).url;
			const { health } = await bench.start({
				horses: [healthy],
				ping: [(await bench.instance(listener)).url],
				settings: settingsFor(expected),
			});
			const response = await health();
			expect(response).toMatchObject({ status: 200, success: true, data: { status: 'DEGRADED' } });
			expect(response.data.components['ping']).toMatchObject({ critical: false, ...expected });
		},
	);

	test('shows the dependencies that an instance reports, of the failing instance first, and nothing else of its response', async () => {
		const report = (components: unknown) => JSON.stringify({ message: 'Not ready', data: { components } });
		const details = { error: 'connection refused', password: 'secret' };
		const works = report({ database: { status: 'UP' } });
		const fails = report({ database: { status: 'DOWN', details }, odd: { status: 'BROKEN' }, older: 'DOWN' });
		const instances = [
			await bench.instance(respondsWith(503, fails)),
			await bench.instance(respondsWith(200, works)),
		];
		const { health } = await bench.start({ horses: instances.map(({ url }) => url) });
		const database = { status: 'DOWN', details: { error: 'connection refused' } };
		const { horses } = (await health()).data.components;
		expect(horses).toMatchObject({
			status: 'DEGRADED',
			reason: 'ERROR',
			statusCode: 503,
			instances: [{ components: { database } }, { components: { database: { status: 'UP' } } }],
		});
		expect(horses?.['components']).toEqual({ database });
	});

	test('a refused connection is an ERROR, reported without an address', async () => {
		const port = await freePort();
		const { health } = await bench.start({ horses: [`http://127.0.0.1:${port}`] });
		const { components } = (await health()).data;
		expect(components['horses']).toMatchObject({ status: 'DOWN', reason: 'ERROR' });
		expect(String(components['horses']?.['message'])).not.toContain(String(port));
	});

	test('a name that does not resolve is an ERROR', async () => {
		const { health } = await bench.start({ horses: ['http://no-such-host.invalid:80'] });
		expect((await health()).data.components['horses']).toMatchObject({ status: 'DOWN', reason: 'ERROR' });
	});

	test('a missing /health is UNKNOWN and no reason for 503', async () => {
		const { health } = await bench.start({ horses: [(await bench.instance(respondsWith(404))).url] });
		const response = await health();
		expect(response).toMatchObject({ status: 200, data: { status: 'DEGRADED' } });
		expect(response.data.components['horses']).toMatchObject({
			status: 'UNKNOWN',
			reason: 'NO_HEALTH_ENDPOINT',
			statusCode: 404,
		});
	});

	test('a context without instances in the registry: NO_INSTANCES, DOWN and 503', async () => {
		const { health } = await bench.start({ horses: [] });
		const response = await health();
		expect(response).toMatchObject({ status: 503, data: { status: 'DOWN' } });
		expect(response.data.components['horses']).toMatchObject({
			status: 'DOWN',
			reason: 'NO_INSTANCES',
			instances: [],
		});
	});

	test('one of two instances is enough: DEGRADED and 200, each with its own state', async () => {
		const urls = [
			(await bench.instance(respondsWith(200))).url,
			(await bench.instance(respondsWith(500))).url,
		];
		const { health } = await bench.start({ horses: urls });
		const response = await health();
		expect(response).toMatchObject({ status: 200, data: { status: 'DEGRADED' } });
		expect(response.data.components['horses']).toMatchObject({
			status: 'DEGRADED',
			reason: 'ERROR',
			statusCode: 500,
			instances: [
				{ status: 'UP', address: urls[0]?.slice('http://'.length) },
				{ status: 'DOWN', address: urls[1]?.slice('http://'.length) },
			],
		});
	});

	test('an open breaker is DOWN with CIRCUIT_OPEN, even if the health probe succeeds', async () => {
		const upstream = await bench.upstream(respondWithStatus(503));
		const { gateway, health } = await bench.start({
			horses: [upstream.url],
			settings: { BREAKER_VOLUME: '3', BREAKER_OPEN_MS: '60000' },
		});
		for (let round = 0; round < 3; round += 1) await gateway.send({ path: '/api/horses' });
		const response = await health();
		expect(response.status).toBe(503);
		const { horses } = response.data.components;
		expect(horses).toMatchObject({
			status: 'DOWN',
			reason: 'CIRCUIT_OPEN',
			instances: [{ status: 'DOWN', reason: 'CIRCUIT_OPEN', breaker: { state: 'OPEN', failureRate: 1 } }],
		});
		const { breaker } = (horses as unknown as Opened).instances[0];
		expect(Date.parse(breaker.nextTryAt) - Date.parse(breaker.since)).toBe(60_000);
	});
});
