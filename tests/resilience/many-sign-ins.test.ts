import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withClient } from '@paddock/database';
import { createApiClient, patient, patientGateway } from '@paddock/testing';
import { usualHashes } from '../../services/auth/test/password-hashes.ts';
import { type System, startSystem } from '../system.ts';
import { p99Ms, startSteadyLoad, statusCounts, type TimedResponse, timedRequest } from './timed-load.ts';

// A bound in milliseconds says something about the gateway only where nothing else runs.
const isQuiet = process.env['PADDOCK_LONG_TESTS'] === 'on';
/** Of the other requests; a service that gets no processor time for seconds refuses some itself. */
const refusedMax = () => (patient(1) > 3 ? 0.05 : 0);
const accountCount = 100;
const signInCount = 200;

let system: System;
let addresses = 0;
const anotherAddress = () => {
	addresses += 1;
	return { 'X-Forwarded-For': `198.18.${addresses >> 8}.${addresses & 255}` };
};

const person = (index: number) => ({
	email: `rider-${index % accountCount}@example.org`,
	password: 'a canter around the meadow',
});
const post = (port: number, path: string, body: unknown, host: number): Promise<TimedResponse> =>
	timedRequest({
		port,
		path,
		method: 'POST',
		headers: { 'X-Forwarded-For': `198.51.100.${host}` },
		body: JSON.stringify(body),
	});

beforeAll(async () => {
	// So that each sign-in has its own client address and is not delayed for another one.
	system = await startSystem({
		services: usualHashes,
		gateway: { TRUSTED_PROXIES: '127.0.0.1', ...(isQuiet ? {} : patientGateway) },
	});
	const api = createApiClient(system.gateway.url);
	await api('POST', '/auth/register', { body: { ...person(0), firstName: 'Rosa', lastName: 'Weiss' } });
	// Copies of the account, with its hash: a registration each would compute another hundred.
	const databaseUrl = system.databaseUrls.get('auth') ?? '';
	const { rowCount } = await withClient(databaseUrl, (client) =>
		client.query(
			`insert into users select (jsonb_populate_record(account, jsonb_build_object(
				'id', gen_random_uuid(), 'email', 'rider-' || number || '@example.org'))).*
			from users account, generate_series(1, $2) number where email = $1`,
			[person(0).email, accountCount - 1],
		),
	);
	expect(rowCount).toBe(accountCount - 1);
}, 90_000);

afterAll(async () => {
	await system?.stop();
});

test('200 sign-ins at once: other callers are served as usual; each sign-in succeeds or is refused with Retry-After', async () => {
	const { port } = system.gateway;
	const headers = { Authorization: `Bearer ${await system.signIn()}` };
	const loads = [
		startSteadyLoad(30, { port, path: '/auth/profile', headers }),
		// Lists of one caller wait for one another, and some are refused when the service gets little time.
		startSteadyLoad(30, () => ({
			port,
			path: '/api/masterdata/countries?size=5',
			headers: anotherAddress(),
		})),
		startSteadyLoad(30, { port, path: '/api/ping' }),
	];
	try {
		const startedAtMs = performance.now();
		const logins = await Promise.all(
			Array.from({ length: signInCount }, (_, index) => post(port, '/auth/login', person(index), index)),
		);
		const endedAtMs = performance.now();
		const counts = statusCounts(logins);
		// Refusals are temporary: refused by the queue, or timed out on a slow machine.
		const momentary = ['200', '429', '502', '503', '504'];
		expect(Object.keys(counts).filter((status) => !momentary.includes(status))).toEqual([]);
		// How many get in is how fast the machine computes hashes; that none does would be a fault.
		expect(counts[200] ?? 0).toBeGreaterThanOrEqual(isQuiet ? 20 : 1);
		for (const { headers: sent } of logins.filter(({ status }) => status === 503))
			expect(Number(sent['retry-after'])).toBeGreaterThanOrEqual(1);
		for (const load of loads) {
			const responses = await load.stop();
			const refused = responses.filter(({ status }) => status !== 200).map(({ body }) => body);
			if (refused.length > refusedMax() * responses.length) expect(refused).toEqual([]);
			const meanwhile = responses.filter(({ sentAtMs }) => sentAtMs >= startedAtMs && sentAtMs < endedAtMs);
			expect(meanwhile.length).toBeGreaterThan(20);
			if (isQuiet) expect(p99Ms(meanwhile)).toBeLessThan(200);
		}
	} finally {
		await Promise.all(loads.map((load) => load.stop()));
	}
}, 180_000);
