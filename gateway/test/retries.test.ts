import { describe, expect, test } from '@jest/globals';
import {
	freePort,
	neverRespond,
	patient,
	patientMs,
	type RawUpstream,
	respondWithStatus,
	type TestUpstream,
} from '@paddock/testing';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';
// Breakers must stay closed so that retries occur.
const settings = {
	RESPONSE_TIMEOUT_MS: patientMs(1_000),
	DEADLINE_MS: patientMs(8_000, 300_000),
	BREAKER_VOLUME: '10000',
	BREAKER_WINDOW_MS: '180000',
};
const rounds = 20;

async function refusing(): Promise<string> {
	return `http://127.0.0.1:${await freePort()}`;
}

async function resetting(): Promise<RawUpstream> {
	return await bench.raw((socket) => void socket.resetAndDestroy());
}

function retries(gateway: BenchGateway): Promise<number> {
	return gateway.counted('gateway_retries_total', {});
}

/** Statuses of sequential requests, enough for the random balancer to choose each instance. */
async function statuses(gateway: BenchGateway, method: string, body?: string): Promise<number[]> {
	const seen: number[] = [];
	for (let round = 0; round < rounds; round += 1)
		seen.push((await gateway.send({ method, path, ...(body === undefined ? {} : { body }) })).status);
	return seen;
}

const all = (status: number) => Array.from({ length: rounds }, () => status);

describe('if one of two instances refuses connections', () => {
	test.each(['GET', 'HEAD', 'OPTIONS'])('every %s succeeds at the other', async (method) => {
		const good = await bench.upstream();
		const gateway = await bench.gateway([await refusing(), good.url], settings);
		expect(await statuses(gateway, method)).toEqual(all(200));
		expect(good.requests).toHaveLength(rounds);
		expect(await retries(gateway)).toBeGreaterThan(0);
	});

	test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
		'every %s succeeds at the other, sent once with its complete body',
		async (method) => {
			const good = await bench.upstream();
			const gateway = await bench.gateway([await refusing(), good.url], settings);
			const body = JSON.stringify({ name: 'Äpfelchen', notes: 'x'.repeat(50_000) });
			expect(await statuses(gateway, method, body)).toEqual(all(200));
			expect(good.requests.map((request) => request.body === body)).toEqual(good.requests.map(() => true));
			expect(good.requests).toHaveLength(rounds);
			expect(await retries(gateway)).toBeGreaterThan(0);
		},
	);

	test('a body in chunks arrives complete', async () => {
		const good = await bench.upstream();
		const gateway = await bench.gateway([await refusing(), good.url], settings);
		const body = Array.from({ length: 50 }, (_, index) => `${index} `.repeat(100));
		for (let round = 0; round < rounds; round += 1)
			expect((await gateway.send({ method: 'POST', path, body })).status).toBe(200);
		expect(good.requests.map((request) => request.body)).toEqual(
			Array.from({ length: rounds }, () => body.join('')),
		);
		expect(await retries(gateway)).toBeGreaterThan(0);
	});

	test('many concurrent requests succeed at the other: retries of refused connections use no budget', async () => {
		const good = await bench.upstream();
		const gateway = await bench.gateway([await refusing(), good.url], {
			...settings,
			RETRY_BUDGET_PERCENT: '0',
			RETRY_BUDGET_MIN: '0',
		});
		const responses = await Promise.all(Array.from({ length: 100 }, () => gateway.send({ path })));
		expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
	});
});

describe('a request that an instance may have processed', () => {
	const bad: Record<string, () => Promise<TestUpstream | RawUpstream>> = {
		'reset the connection': resetting,
		hung: () => bench.upstream(neverRespond),
		'returns 503': () => bench.upstream(respondWithStatus(503)),
		'responded nonsense': () => bench.raw((socket) => void socket.end('nonsense\r\n\r\n')),
	};

	test.each(Object.entries(bad))('is not retried if it is a POST (instance %s)', async (_name, open) => {
		const [first, second] = [await open(), await open()];
		const gateway = await bench.gateway([first.url, second.url], settings);
		const response = await gateway.send({ method: 'POST', path, body: '{}' });
		expect(response.status).toBeGreaterThanOrEqual(502);
		expect(await retries(gateway)).toBe(0);
		expect(arrived(first) + arrived(second)).toBe(1);
	});

	test.each(Object.entries(bad))('is retried if it is a GET (instance %s)', async (_name, open) => {
		const good = await bench.upstream();
		const gateway = await bench.gateway([(await open()).url, good.url], settings);
		const seen = await Promise.all(Array.from({ length: 8 }, () => gateway.send({ path })));
		expect(seen.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
		expect(await retries(gateway)).toBeGreaterThan(0);
	});

	test('is sent at most twice, and the second response is returned', async () => {
		const numbered = (number: number) =>
			bench.upstream((_req, res) => {
				res.writeHead(503, { 'Content-Type': 'application/json' }).end(JSON.stringify({ number }));
			});
		const upstreams = [await numbered(1), await numbered(2), await numbered(3)];
		const gateway = await bench.gateway(
			upstreams.map(({ url }) => url),
			settings,
		);
		const response = await gateway.send({ path });
		expect(response.status).toBe(503);
		const used = upstreams.filter(({ requests }) => requests.length > 0);
		expect(used).toHaveLength(2);
		expect(upstreams.reduce((sum, { requests }) => sum + requests.length, 0)).toBe(2);
		expect(await retries(gateway)).toBe(1);
	});

	test('is retried with its body if it is a GET with a body', async () => {
		const good = await bench.upstream();
		const gateway = await bench.gateway(
			[(await bench.upstream(respondWithStatus(503))).url, good.url],
			settings,
		);
		expect(await statuses(gateway, 'GET', '{"a":1}')).toEqual(all(200));
		expect(good.requests.map(({ body }) => body)).toEqual(Array.from({ length: rounds }, () => '{"a":1}'));
		expect(await retries(gateway)).toBeGreaterThan(0);
	});

	test('is not retried at the only instance', async () => {
		const upstream = await bench.upstream(respondWithStatus(503));
		const gateway = await bench.gateway([upstream.url], settings);
		expect((await gateway.send({ path })).status).toBe(503);
		expect(upstream.requests).toHaveLength(1);
	});
});

function arrived(upstream: TestUpstream | RawUpstream): number {
	if ('requests' in upstream) return upstream.requests.length;
	return upstream.received.filter((text) => text.startsWith('POST ')).length;
}

describe('the limits of retrying', () => {
	test('concurrent retries are limited by the budget; other requests fail', async () => {
		const [first, second] = [await bench.upstream(neverRespond), await bench.upstream(neverRespond)];
		const gateway = await bench.gateway([first.url, second.url], {
			...settings,
			RETRY_BUDGET_PERCENT: '20',
			RETRY_BUDGET_MIN: '1',
		});
		const responses = await Promise.all(Array.from({ length: 20 }, () => gateway.send({ path })));
		expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 504));
		expect(await retries(gateway)).toBeLessThanOrEqual(4);
		expect(await retries(gateway)).toBeGreaterThan(0);
	});

	test('finished retries release the budget', async () => {
		const good = await bench.upstream();
		const gateway = await bench.gateway([(await bench.upstream(respondWithStatus(503))).url, good.url], {
			...settings,
			RETRY_BUDGET_PERCENT: '0',
			RETRY_BUDGET_MIN: '1',
		});
		expect(await statuses(gateway, 'GET')).toEqual(all(200));
		expect(await retries(gateway)).toBeGreaterThan(1);
	});

	test('both attempts stay within the deadline, and the second gets the remaining time', async () => {
		const [first, second] = [await bench.upstream(neverRespond), await bench.upstream(neverRespond)];
		const [responseMs, deadlineMs] = [Math.ceil(patient(800)), Math.ceil(patient(1_200))];
		const times = { RESPONSE_TIMEOUT_MS: String(responseMs), DEADLINE_MS: String(deadlineMs) };
		const gateway = await bench.gateway([first.url, second.url], { ...settings, ...times });
		const response = await gateway.send({ path });
		expect(response.status).toBe(504);
		expect(response.durationMs).toBeGreaterThan(deadlineMs - 20);
		expect(response.durationMs).toBeLessThan(deadlineMs + patient(2_800));
		const deadlines = [...first.requests, ...second.requests].map(({ headers }) =>
			Number(headers['x-request-deadline-ms']),
		);
		expect(deadlines).toHaveLength(2);
		expect(Math.max(...deadlines)).toBe(responseMs);
		expect(Math.min(...deadlines)).toBeLessThanOrEqual(deadlineMs - responseMs);
	});

	test('no retry if the remaining time is too short', async () => {
		const [first, second] = [await bench.upstream(neverRespond), await bench.upstream(neverRespond)];
		const gateway = await bench.gateway([first.url, second.url], {
			...settings,
			...{ RESPONSE_TIMEOUT_MS: '1450', DEADLINE_MS: '1500' },
		});
		expect((await gateway.send({ path })).status).toBe(504);
		expect(first.requests.length + second.requests.length).toBe(1);
	});
});
