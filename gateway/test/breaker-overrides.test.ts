import { describe, expect, test } from '@jest/globals';
import { eventually, patient, respondWithStatus, startStopwatch } from '@paddock/testing';
import { expectRefusal, override, administratorId as userId } from './override-breakers.ts';
import { administratorName as byName } from './stand-in-auth.ts';
import { testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';
const reason = 'its database is being moved';

test('an override, heap snapshot or profile needs a recent second factor where auth says so', async () => {
	const one = await bench.upstream();
	const gateway = await bench.gateway([one.url]);
	gateway.auth.isSteppedUp = false;
	const refusals = [await override(gateway, 'horses/open', { reason })];
	const token = gateway.identity.sign({ roles: ['ADMIN'] });
	for (const page of ['heapdump', 'cpuprofile'])
		refusals.push(await gateway.send({ path: `/actuator/${page}`, token }));
	for (const refused of refusals) {
		expect([refused.status, refused.json().data]).toMatchObject([
			403,
			{ code: 'STEP_UP_REQUIRED', maxAgeSeconds: 600 },
		]);
		expect(refused.json().message).toContain('POST /auth/step-up');
	}
	expect((await gateway.send({ path })).status).toBe(200);
	gateway.auth.isSteppedUp = true;
	expect((await override(gateway, 'horses/open', { reason })).status).toBe(200);
});

describe('a context that is forced open', () => {
	test('gets no requests: 503 with the time until the override expires; health shows who, why and until when', async () => {
		const [one, other] = [await bench.upstream(), await bench.upstream()];
		const gateway = await bench.gateway([one.url, other.url]);
		const response = await override(gateway, 'horses/open', { reason, expiresInSeconds: 600 });
		expect(response.status).toBe(200);
		const until = expect.stringMatching(/Z$/);
		expect(response.json()).toMatchObject({
			success: true,
			message: 'Forced OPEN',
			data: {
				breakers: [
					{ context: 'horses', state: 'OPEN', forced: { reason, by: userId, byName, until } },
					{ context: 'horses', state: 'OPEN', forced: { reason, by: userId, byName, until } },
				],
				orders: [{ target: { context: 'horses' }, state: 'OPEN', reason, by: userId, byName, until }],
			},
		});
		const refused = await gateway.send({ path });
		expect(refused.status).toBe(503);
		expectRefusal(refused, 'CIRCUIT_OPEN');
		expect(refused.json().message).toBe(`Closed for maintenance: ${reason}`);
		expect(Number(refused.headers['retry-after'])).toBeGreaterThan(590);
		expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600);
		expect([...one.requests, ...other.requests]).toEqual([]);

		const health = await gateway.send({ path: '/actuator/health/horses' });
		expect(health.json()).toMatchObject({
			data: {
				status: 'DOWN',
				reason: 'CIRCUIT_OPEN',
				message: `Closed for maintenance: ${reason}`,
				instances: [{ breaker: { state: 'OPEN', forced: { reason, by: userId, byName } } }, {}],
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
						cause: expect.stringContaining(`${reason} (by ${byName}, until `),
					}),
				]),
			},
		});
		expect(await gateway.counted('gateway_circuit_breaker_forced', { upstream: 'horses-service' })).toBe(2);
		expect(await gateway.counted('gateway_circuit_breaker_state', { upstream: 'horses-service' })).toBe(4);
	});

	test('includes instances that register later, and no other context', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.start({
			services: { 'horses-service': [], 'members-service': [upstream.url] },
		});
		await override(gateway, 'horses/open', { reason });
		gateway.registry.set('horses-service', [upstream.url]);
		expect((await gateway.send({ path })).status).toBe(503);
		expect((await gateway.send({ path: '/api/members' })).status).toBe(200);
	});

	test('returns to normal when the override expires', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		const startedMs = performance.now();
		const elapsedMs = startStopwatch();
		await override(gateway, 'horses/open', { reason, expiresInSeconds: 3 });
		const openedWithinMs = performance.now() - startedMs;
		expect((await gateway.send({ path })).status).toBe(503);
		await eventually('requests succeed', async () => (await gateway.send({ path })).status === 200);
		expect(elapsedMs()).toBeLessThan(patient(3_600));
		const passedMs = performance.now() - startedMs;
		const history = await gateway.send({ path: '/actuator/health/history' });
		expect(history.json().data).toMatchObject({
			items: [{ from: 'FORCED_OPEN', to: 'AUTO', cause: 'expired' }, { to: 'FORCED_OPEN' }],
		});
		const openSeconds = await gateway.counted('gateway_circuit_breaker_opened_seconds_total', {
			upstream: 'horses-service',
		});
		expect(openSeconds).toBeGreaterThan((2_990 - openedWithinMs) / 1_000);
		expect(openSeconds).toBeLessThan((passedMs + 100) / 1_000);
	});

	test('returns to normal when the override is withdrawn', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		await override(gateway, 'horses/open', { reason });
		const response = await override(gateway, 'horses/auto', { reason: 'moved' });
		expect(response.json()).toMatchObject({ data: { breakers: [{ state: 'CLOSED' }], orders: [] } });
		expect((await gateway.send({ path })).status).toBe(200);
	});
});

describe('one instance that is forced open', () => {
	test('is not the reason of a refusal while the breaker of another has opened', async () => {
		const [one, failing] = [await bench.upstream(), await bench.upstream(respondWithStatus(503))];
		const gateway = await bench.gateway([one.url, failing.url], settings);
		const id = encodeURIComponent(one.url.slice('http://'.length));
		await override(gateway, `horses/open?instance=${id}`, { reason });
		for (let round = 0; round < 3; round += 1) await gateway.send({ method: 'POST', path, body: '{}' });
		const refused = await gateway.send({ path });
		expectRefusal(refused, 'CIRCUIT_OPEN');
		expect(refused.json().message).not.toContain(reason);
	});

	test('gets no requests; the other instance gets all', async () => {
		const [one, other] = [await bench.upstream(), await bench.upstream()];
		const gateway = await bench.gateway([one.url, other.url]);
		const id = encodeURIComponent(one.url.slice('http://'.length));
		await override(gateway, `horses/open?instance=${id}`, { reason });
		for (let round = 0; round < 10; round += 1) expect((await gateway.send({ path })).status).toBe(200);
		expect([one.requests.length, other.requests.length]).toEqual([0, 10]);
		expect((await gateway.send({ path: '/actuator/breakers' })).json()).toMatchObject({
			data: { orders: [{ target: { context: 'horses', instance: one.url.slice('http://'.length) } }] },
		});
	});
});

const settings = { BREAKER_VOLUME: '3', BREAKER_OPEN_MS: '60000' };

describe('a context that is forced closed', () => {
	test('never opens, and opens again after the override is withdrawn', async () => {
		const upstream = await bench.upstream(respondWithStatus(503));
		const gateway = await bench.gateway([upstream.url], settings);
		await override(gateway, 'horses/close', { reason });
		for (let round = 0; round < 12; round += 1) await gateway.send({ method: 'POST', path, body: '{}' });
		expect(upstream.requests).toHaveLength(12);
		await override(gateway, 'horses/auto', { reason });
		for (let round = 0; round < 12; round += 1) await gateway.send({ method: 'POST', path, body: '{}' });
		expect(upstream.requests).toHaveLength(12 + 3);
	});

	test('is closed even if its breakers were open', async () => {
		let response = respondWithStatus(503);
		const upstream = await bench.upstream((...args) => response(...args), { health: 503 });
		const gateway = await bench.gateway([upstream.url], settings);
		for (let round = 0; round < 4; round += 1) await gateway.send({ method: 'POST', path, body: '{}' });
		expect(upstream.requests).toHaveLength(3);
		response = respondWithStatus(200);
		await override(gateway, 'horses/close', { reason });
		expect((await gateway.send({ path })).status).toBe(200);
	});
});
