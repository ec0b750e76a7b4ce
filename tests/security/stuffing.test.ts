import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { type TimedResponse, timedRequest } from '../resilience/timed-load.ts';
import { type System, startSystem } from '../system.ts';

const password = 'a canter around the meadow';

let system: System | undefined;

afterEach(async () => {
	await system?.stop();
	system = undefined;
});

/** Each call has another client address. */
function caller(
	port: number,
): (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<TimedResponse> {
	let calls = 0;
	return (path, body, more = {}) => {
		calls += 1;
		const address = `203.0.113.${calls % 250}`;
		return timedRequest({
			port,
			path,
			method: 'POST',
			headers: {
				'X-Forwarded-For': address,
				Forwarded: `for=${address}`,
				'X-Real-IP': address,
				...more,
			},
			body: JSON.stringify(body),
		});
	};
}

const person = (index: number) => ({
	email: `rider-${index}@example.org`,
	password,
	firstName: 'Rosa',
	lastName: 'Weiss',
});

/** Refusals have Retry-After. @returns the number of verified guesses. */
function judged(responses: readonly TimedResponse[]): number {
	for (const { status, headers } of responses) {
		expect([401, 423, 429]).toContain(status);
		if (status !== 401) expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
	}
	return responses.filter(({ status }) => status === 401).length;
}

test('one password tried at many accounts: after a hundred failures the address is refused, whatever it claims to be', async () => {
	system = await startSystem({ contexts: ['auth'] });
	const call = caller(system.gateway.port);
	const victim = person(0);
	expect((await call('/auth/register', victim)).status).toBe(201);
	const responses: TimedResponse[] = [];
	for (let index = 1; index <= 110; index += 1)
		responses.push(
			await call('/auth/login', { email: person(index).email, password: 'Sommer-in-Wien-2026' }),
		);
	expect(judged(responses)).toBe(100);
	// Nor does it get in with a password that is right.
	const right = await call('/auth/login', { email: victim.email, password });
	expect(right.status).toBe(429);
}, 60_000);

describe('behind a trusted proxy', () => {
	let behind: System;
	beforeAll(async () => {
		const gateway = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'debug' };
		// Delays that end during the guesses would let a right password in between two of them.
		const services = { SIGN_IN_DELAY_MS: '1' };
		behind = await startSystem({ contexts: ['auth'], gateway, services });
	}, 60_000);
	afterAll(() => behind?.stop());

	test('many passwords tried at one account, from as many addresses: after a few the account is locked', async () => {
		const call = caller(behind.gateway.port);
		for (const index of [0, 1]) expect((await call('/auth/register', person(index))).status).toBe(201);
		const responses: TimedResponse[] = [];
		for (let guess = 1; guess <= 60; guess += 1)
			responses.push(
				await call('/auth/login', { email: person(0).email, password: `guess number ${guess}` }),
			);
		expect(judged(responses)).toBe(10);
		expect((await call('/auth/login', { email: person(0).email, password })).status).toBe(423);
		// Other clients are not affected.
		expect((await call('/auth/login', { email: person(1).email, password })).status).toBe(200);
	}, 60_000);

	test('an owner signs in on a known device while others cause the lock, and no log contains the device token', async () => {
		const call = caller(behind.gateway.port);
		const owner = person(2);
		expect((await call('/auth/register', owner)).status).toBe(201);
		const first = await call('/auth/login', { email: owner.email, password });
		const { deviceToken } = (JSON.parse(first.body) as { data: { deviceToken: string } }).data;
		for (let guess = 1; guess <= 60; guess += 1)
			await call('/auth/login', { email: owner.email, password: `guess number ${guess}` });
		expect((await call('/auth/login', { email: owner.email, password })).status).toBe(423);
		const known = await call(
			'/auth/login',
			{ email: owner.email, password },
			{ 'X-Device-Token': deviceToken },
		);
		expect(known.status).toBe(200);
		const logs = [behind.gateway, ...behind.services.auth].map((process) => process.output()).join('\n');
		expect(logs).toContain('/auth/login');
		expect(logs).not.toContain(deviceToken);
	}, 60_000);
});

test('the sign-in limit of the gateway applies whatever X-Forwarded-For says', async () => {
	system = await startSystem({ contexts: ['auth'], gateway: { RATE_LIMIT_SIGN_IN: '20' } });
	const call = caller(system.gateway.port);
	const responses = await Promise.all(
		Array.from({ length: 60 }, (_, index) => call('/auth/login', { email: person(index).email, password })),
	);
	judged(responses);
	const codes = responses.map(({ body }) => (JSON.parse(body) as { data: { code: string } }).data.code);
	expect(codes.filter((code) => code === 'RATE_LIMITED').length).toBeGreaterThanOrEqual(39);
	// The service received only the requests within the limit.
	const seen = (system.services.auth[0]?.output() ?? '').split('"route":"/auth/login"').length - 1;
	expect(seen).toBeLessThanOrEqual(21);
}, 60_000);

test('behind one address: an attacker uses up its sign-ins, known devices still sign in and refresh', async () => {
	system = await startSystem({ contexts: ['auth'], gateway: { RATE_LIMIT_SIGN_IN: '5' } });
	const call = caller(system.gateway.port);
	const owner = person(0);
	expect((await call('/auth/register', owner)).status).toBe(201);
	const { data } = JSON.parse((await call('/auth/login', { email: owner.email, password })).body) as {
		data: { deviceToken: string; refreshToken: string };
	};
	for (let guess = 1; guess <= 20; guess += 1)
		await call('/auth/login', { email: owner.email, password: `guess number ${guess}` });
	expect((await call('/auth/login', { email: owner.email, password })).status).toBe(429);
	const device = { 'X-Device-Token': data.deviceToken };
	expect((await call('/auth/login', { email: owner.email, password }, device)).status).toBe(200);
	expect((await call('/auth/refresh', { refreshToken: data.refreshToken })).status).toBe(200);
}, 60_000);

test('invented device tokens bring ten times the limit of sign-ins to auth, and no guess beyond its own limits', async () => {
	system = await startSystem({ contexts: ['auth'], gateway: { RATE_LIMIT_SIGN_IN: '3' } });
	const call = caller(system.gateway.port);
	const victim = person(0);
	expect((await call('/auth/register', victim)).status).toBe(201);
	const responses: TimedResponse[] = [];
	for (let guess = 1; guess <= 60; guess += 1) {
		const device = { 'X-Device-Token': randomBytes(32).toString('base64url') };
		responses.push(await call('/auth/login', { email: victim.email, password: `guess ${guess}` }, device));
	}
	expect(judged(responses)).toBeLessThanOrEqual(10);
	// The access log of the service is written in batches.
	const seen = () => (system?.services.auth[0]?.output() ?? '').split('"route":"/auth/login"').length - 1;
	await eventually('auth has logged all sign-ins', () => seen() >= 30);
	expect(seen()).toBe(30);
	expect(responses.slice(30).map(({ status }) => status)).toEqual(Array<number>(30).fill(429));
}, 60_000);
