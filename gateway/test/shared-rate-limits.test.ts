import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
	describeWithRedis,
	eventually,
	type RedisServer,
	recordingUpstream,
	startRedisServer,
	startStopwatch,
	type TestUpstream,
} from '@paddock/testing';
import { expectFailure, readResponse } from './expect-failure.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

// Only the test of a frozen Redis depends on it, so it is the longest: the machine may be busy.
const redisTimeoutMs = 2_000;

describeWithRedis('two gateways with one Redis', () => {
	let redis: RedisServer;
	let upstream: TestUpstream;
	let gateways: readonly [TestGateway, TestGateway];

	beforeEach(async () => {
		redis = await startRedisServer();
		upstream = await recordingUpstream();
	});

	afterEach(async () => {
		await Promise.all(gateways.map((gateway) => gateway.close()));
		await upstream.close();
		await redis.stop();
	});

	async function start(settings: Record<string, string>): Promise<void> {
		const options = {
			services: { 'horses-service': [upstream.url], 'ping-service': [upstream.url] },
			settings: {
				CONTEXTS: 'auth,horses,ping',
				REDIS_URL: redis.url,
				REDIS_TIMEOUT_MS: String(redisTimeoutMs),
				...settings,
			},
		};
		gateways = [await startTestGateway(options), await startTestGateway(options)];
		// A gateway starts without Redis if that does not respond in time.
		await bothUseRedis();
	}

	async function bothUseRedis(): Promise<void> {
		await eventually('both gateways use Redis', async () =>
			(await Promise.all(gateways.map(metricsOf))).every((text) =>
				/gateway_redis_unavailable(\{[^}]*\})? 0/.test(text),
			),
		);
	}

	/** Sends requests to the gateways alternately. @returns the statuses */
	async function statuses(
		count: number,
		send: (gateway: TestGateway) => Promise<Response>,
	): Promise<number[]> {
		const seen: number[] = [];
		for (let at = 0; at < count; at += 1) {
			const response = await readResponse(await send(gateways[at % 2 === 0 ? 0 : 1]));
			if (response.status === 429) expectFailure(response, 429, 'RATE_LIMITED');
			seen.push(response.status);
		}
		return seen;
	}

	const passed = (seen: readonly number[]) => seen.filter((status) => status !== 429).length;
	const ping = (gateway: TestGateway) => fetch(`${gateway.url}/api/ping`);
	const metricsOf = (gateway: TestGateway) => gateway.opened.deps.operations.metrics.registry.metrics();
	const gatewayHealth = async (gateway: TestGateway) => {
		const response = await fetch(`${gateway.url}/actuator/health/gateway`);
		return ((await response.json()) as { data: object }).data;
	};

	test('let 100 of 300 requests through at a limit of 100, in one minute that began with the first', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '100' });
		expect(passed(await statuses(300, ping))).toBe(100);
		const { headers, status } = await readResponse(await ping(gateways[1]));
		expect({ status, ...headers }).toMatchObject({
			status: 429,
			'ratelimit-limit': '100',
			'ratelimit-remaining': '0',
		});
		const resetS = Number(headers['ratelimit-reset']);
		expect(resetS).toBeGreaterThan(0);
		expect(resetS).toBeLessThanOrEqual(60);
		expect(headers['retry-after']).toBe(String(resetS));
		expect(await metricsOf(gateways[0])).toMatch(/gateway_redis_unavailable(\{[^}]*\})? 0/);
	});

	test('admit the exact number of concurrent requests', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '7' });
		const all = await Promise.all(
			Array.from({ length: 30 }, (_, at) => ping(gateways[at % 2 === 0 ? 0 : 1])),
		);
		expect(all.filter(({ status }) => status === 200)).toHaveLength(7);
	});

	test('count users and officers together', async () => {
		await start({ RATE_LIMIT_USER: '3', RATE_LIMIT_OFFICER: '5' });
		const userId = randomUUID();
		const horses = (claims: object) => (gateway: TestGateway) =>
			fetch(`${gateway.url}/api/horses`, {
				headers: { Authorization: `Bearer ${gateway.identity.sign(claims)}` },
			});
		expect(await statuses(5, horses({ userId }))).toEqual([200, 200, 200, 429, 429]);
		expect(passed(await statuses(8, horses({ roles: ['ADMIN'], userId: randomUUID() })))).toBe(5);
	});

	test('count guesses of passwords and tokens together', async () => {
		const limit = 3;
		await start({ RATE_LIMIT_SIGN_IN: String(limit) });
		const token = () => randomBytes(32).toString('base64url');
		const post = (path: string, init: { device?: string; body?: object } = {}) => {
			const device = init.device === undefined ? {} : { 'X-Device-Token': init.device };
			const headers = { 'Content-Type': 'application/json', ...device };
			const body = JSON.stringify(init.body ?? {});
			return (gateway: TestGateway) => fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
		};
		expect(passed(await statuses(6, post('/auth/login')))).toBe(limit);
		expect(passed(await statuses(6, post('/auth/register')))).toBe(0);
		expect(passed(await statuses(6, post('/auth/login', { device: token() })))).toBe(limit);
		expect(passed(await statuses(6, post('/auth/refresh', { body: { refreshToken: token() } })))).toBe(limit);
		// All tokens of one address: the refused requests of one token are not counted.
		const forged = (gateway: TestGateway) => post('/auth/login', { device: token() })(gateway);
		expect(passed(await statuses(12 * limit, forged))).toBe(10 * limit - limit);
		const { headers } = await readResponse(await forged(gateways[0]));
		expect(headers['ratelimit-limit']).toBe(String(10 * limit));
		// Invented tokens have no counter once the address is at its limit.
		const refused = post('/auth/login', { device: token() });
		for (let at = 0; at <= limit; at += 1)
			expect((await readResponse(await refused(gateways[0]))).headers['ratelimit-limit']).toBe(
				String(10 * limit),
			);
	});

	test('count alone while Redis is unavailable, report it, and then count together again', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '50' });
		const [one, other] = gateways;
		expect(passed(await statuses(10, ping))).toBe(10);
		expect(await gatewayHealth(one)).toMatchObject({ status: 'UP', rateLimits: { keptIn: 'redis' } });
		await redis.kill();
		expect(await statuses(20, ping)).toEqual(Array(20).fill(200));
		for (const gateway of [one, other]) {
			expect(await metricsOf(gateway)).toMatch(/gateway_redis_unavailable(\{[^}]*\})? 1/);
			expect(await metricsOf(gateway)).toMatch(/gateway_rate_limit_fallback_total(\{[^}]*\})? 10/);
			expect(await gatewayHealth(gateway)).toMatchObject({
				status: 'DEGRADED',
				rateLimits: { keptIn: 'redis unavailable: memory' },
			});
		}
		await redis.restart();
		await bothUseRedis();
		expect(passed(await statuses(80, ping))).toBe(50);
	});

	test('delay the first request by the timeout while Redis is frozen, and no further one', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '1000' });
		await statuses(2, ping);
		redis.signal('SIGSTOP');
		// Each of the two gateways waits once.
		await statuses(2, ping);
		for (let at = 0; at < 8; at += 1) {
			const elapsedMs = startStopwatch();
			expect(await statuses(2, ping)).toEqual([200, 200]);
			// A request that waited for Redis would take at least this long; others take milliseconds.
			expect(elapsedMs()).toBeLessThan(redisTimeoutMs);
		}
	});
});

test('a gateway without Redis reports that it counts in memory', async () => {
	const gateway = await startTestGateway();
	try {
		const response = await fetch(`${gateway.url}/actuator/health/gateway`);
		expect(await response.json()).toMatchObject({ data: { status: 'UP', rateLimits: { keptIn: 'memory' } } });
		expect(await gateway.opened.deps.operations.metrics.registry.metrics()).toMatch(
			/gateway_redis_unavailable(\{[^}]*\})? 0/,
		);
	} finally {
		await gateway.close();
	}
});
