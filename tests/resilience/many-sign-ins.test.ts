import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type System, startSystem, systemAdmin } from '@paddock/testing';
import { p99Ms, startSteadyLoad, statusCounts, timedRequest } from './timed-load.ts';

let system: System;

beforeAll(async () => {
	system = await startSystem();
}, 60_000);

afterAll(async () => {
	await system?.stop();
});

test('200 sign-ins at once: everybody else is served as if nothing were; who signs in gets in or is told to come back', async () => {
	const { port } = system.gateway;
	const headers = { Authorization: `Bearer ${await system.signIn()}` };
	const loads = [
		startSteadyLoad(30, { port, path: '/auth/profile', headers }),
		startSteadyLoad(30, { port, path: '/api/masterdata/countries?size=5' }),
		startSteadyLoad(30, { port, path: '/api/ping' }),
	];
	try {
		const login = { port, path: '/auth/login', method: 'POST', body: JSON.stringify(systemAdmin) };
		const startedAtMs = performance.now();
		const logins = await Promise.all(Array.from({ length: 200 }, () => timedRequest(login)));
		const endedAtMs = performance.now();
		const counts = statusCounts(logins);
		expect((counts[200] ?? 0) + (counts[503] ?? 0)).toBe(200);
		// As many as hash and wait at once; the rest is refused before it costs anything.
		expect(counts[200] ?? 0).toBeGreaterThanOrEqual(100);
		for (const { headers: sent } of logins.filter(({ status }) => status === 503))
			expect(Number(sent['retry-after'])).toBeGreaterThanOrEqual(1);
		for (const load of loads) {
			const answers = await load.stop();
			expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([]);
			const meanwhile = answers.filter(({ sentAtMs }) => sentAtMs >= startedAtMs && sentAtMs < endedAtMs);
			expect(meanwhile.length).toBeGreaterThan(20);
			expect(p99Ms(meanwhile)).toBeLessThan(200);
		}
	} finally {
		await Promise.all(loads.map((load) => load.stop()));
	}
}, 60_000);
