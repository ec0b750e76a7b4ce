import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApiClient, eventually, patient, startStopwatch } from '@paddock/testing';
import { type System, startSystem, systemAdmin } from '../system.ts';

/** Longer than a busy machine takes for the calls that an open breaker refuses. */
const openMs = 8_000;

let system: System;

beforeAll(async () => {
	system = await startSystem({ gateway: { BREAKER_OPEN_MS: String(openMs) } });
}, 60_000);

afterAll(async () => {
	await system?.stop();
});

interface Failure {
	code: string;
}

interface Component {
	status: string;
	reason: string;
	statusCode?: number;
	message: string;
	critical: boolean;
	instances: { breaker: { state: string; failureRate: number; nextTryAt?: string } }[];
}

test('the only instance killed: envelopes at once, the breaker opens, others are not affected, automatic recovery', async () => {
	const api = createApiClient(system.gateway.url);
	const countries = () => api<Failure>('GET', '/api/masterdata/countries?size=5');
	const [masterdata] = system.services.masterdata;
	expect((await countries()).status).toBe(200);
	await masterdata?.kill();

	// Each request is attempted until there were enough failures; then the breaker refuses all.
	const codes: string[] = [];
	for (let index = 0; index < 15; index += 1) {
		const response = await countries();
		expect([502, 503]).toContain(response.status);
		expect(Number(response.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
		codes.push(response.data.code);
	}
	expect(codes.slice(0, 9)).toEqual(Array(9).fill('UPSTREAM_ERROR'));
	expect(codes.slice(10)).toEqual(Array(5).fill('CIRCUIT_OPEN'));

	const timesMs: number[] = [];
	for (let index = 0; index < 20; index += 1) {
		const startedAt = performance.now();
		const response = await countries();
		timesMs.push(performance.now() - startedAt);
		expect(response.data.code).toBe('CIRCUIT_OPEN');
	}
	timesMs.sort((a, b) => a - b);
	// Not the median: other work on the machine delays some, but an attempt would delay all.
	expect(timesMs[4]).toBeLessThan(patient(10));

	const signIn = await api('POST', '/auth/login', { body: systemAdmin });
	expect(signIn.status).toBe(200);
	expect((await api('GET', '/api/ping')).status).toBe(200);

	const health = await api<{ status: string; components: Record<string, Component> }>(
		'GET',
		'/actuator/health',
	);
	expect([health.status, health.data.status]).toEqual([503, 'DOWN']);
	const component = health.data.components['masterdata'];
	expect(component).toMatchObject({ status: 'DOWN', critical: true, reason: 'ERROR' });
	expect(component?.instances[0]?.breaker.state).toBe('OPEN');
	expect(component?.instances[0]?.breaker.failureRate).toBeGreaterThan(0.5);

	await masterdata?.restart();
	const backAfterMs = startStopwatch();
	await eventually('it works again by itself', async () => (await countries()).status === 200, 2 * openMs);
	expect(backAfterMs()).toBeLessThan(patient(openMs + 2_000));
	await eventually('health is UP', async () => (await api('GET', '/actuator/health')).status === 200);
}, 60_000);

test('a service that says it is not ready shows in health with its status code', async () => {
	const api = createApiClient(system.gateway.url);
	const [ping] = system.services.ping;
	ping?.signal('SIGSTOP');
	try {
		const elapsedMs = startStopwatch();
		const health = await api<{ status: string; components: Record<string, Component> }>(
			'GET',
			'/actuator/health',
		);
		expect(elapsedMs()).toBeLessThan(patient(3_000));
		expect([health.status, health.data.status]).toEqual([200, 'DEGRADED']);
		expect(health.data.components['ping']).toMatchObject({
			status: 'DOWN',
			critical: false,
			reason: 'TIMEOUT',
		});
	} finally {
		ping?.signal('SIGCONT');
	}
}, 30_000);
