import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
	type ChildService,
	eventually,
	freePorts,
	type System,
	type SystemService,
	startChildService,
	startSystem,
} from '@paddock/testing';

const contexts: readonly SystemService[] = ['auth', 'members', 'masterdata', 'ping'];
const password = 'a canter around the meadow';
/** How soon a gateway must refuse what auth has revoked. */
const effectMsMax = 2_000;

let system: System;
let administrator: string;

beforeAll(async () => {
	system = await startSystem({ contexts });
	administrator = await system.signIn();
}, 90_000);

afterAll(async () => {
	await system?.stop();
});

interface Reply {
	readonly status: number;
	readonly data: Record<string, unknown> & { code?: string };
}

async function send(
	method: string,
	path: string,
	token: string | undefined,
	body?: object,
	url = system.gateway.url,
): Promise<Reply> {
	const response = await fetch(url + path, {
		method,
		headers: {
			...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const { data } = (await response.json()) as { data: Reply['data'] };
	return { status: response.status, data };
}

interface Person {
	readonly id: string;
	readonly email: string;
}

async function personWith(roles: readonly string[]): Promise<Person> {
	const email = `p-${randomUUID().slice(0, 13)}@example.org`;
	const names = { firstName: 'Rosa', lastName: 'Weiss' };
	const registered = await send('POST', '/auth/register', undefined, { email, password, ...names });
	const id = String(registered.data['id']);
	const given = await send('PUT', `/auth/users/${id}/roles`, administrator, { roles });
	expect([registered.status, given.status]).toEqual([201, 200]);
	return { id, email };
}

interface Tokens {
	readonly accessToken: string;
	readonly refreshToken: string;
}

async function signIn({ email }: Person): Promise<Tokens> {
	const { status, data } = await send('POST', '/auth/login', undefined, { email, password });
	expect(status).toBe(200);
	return data as unknown as Tokens;
}

let clubs = 0;

/** What an administrator does: everything that a closed account did for another quarter of an hour. */
const forceBreaker = (token: string, url?: string) =>
	send('POST', '/actuator/breakers/ping/close', token, { reason: 'a test', expiresInSeconds: 1 }, url);
const createClub = (token: string, url?: string) => {
	clubs += 1;
	const club = { clubNumber: String(1_100 + clubs), name: `Reitverein ${clubs}`, stateCode: 'AT-9' };
	return send('POST', '/api/members/clubs', token, club, url);
};
const listMembers = (token: string, url?: string) => send('GET', '/api/members', token, undefined, url);

const setStatus = (id: string, status: string) =>
	send('PUT', `/auth/users/${id}/status`, administrator, { status });

/** The milliseconds until a token is refused as revoked; every response before that is a success. */
async function msUntilRevoked(call: () => Promise<Reply>): Promise<number> {
	const startedMs = performance.now();
	await eventually('the token is refused', async () => {
		const { status, data } = await call();
		if (status === 200) return false;
		expect([status, data.code]).toEqual([401, 'TOKEN_REVOKED']);
		return true;
	});
	return performance.now() - startedMs;
}

/** Another gateway in front of the same services, e.g. one that starts after a revocation. */
async function startGateway(): Promise<ChildService> {
	const instances = contexts.flatMap((name) =>
		system.services[name].map(({ url }) => `${name}-service=${url}`),
	);
	const [port = 0] = await freePorts(1);
	return await startChildService({
		main: 'gateway/src/main.ts',
		port,
		env: { SERVICE_INSTANCES: instances.join(','), CONTEXTS: contexts.join(','), DRAIN_MS: '0' },
		readyPath: '/actuator/health/readiness',
	});
}

describe('an administrator whose account is closed', () => {
	test('changes nothing from the next request on, and reads nothing two seconds later, at any gateway', async () => {
		const person = await personWith(['MEMBER', 'ADMIN']);
		const { accessToken: token } = await signIn(person);
		const [members] = system.services.members;
		const other = await startGateway();
		try {
			for (const url of [system.gateway.url, other.url]) {
				expect((await forceBreaker(token, url)).status).toBe(200);
				expect((await createClub(token, url)).status).toBe(201);
				expect((await listMembers(token, url)).status).toBe(200);
			}
			expect((await setStatus(person.id, 'CLOSED')).status).toBe(200);
			for (const url of [system.gateway.url, other.url]) {
				for (const write of [forceBreaker, createClub]) {
					const { status, data } = await write(token, url);
					expect([status, data.code]).toEqual([401, 'TOKEN_REVOKED']);
				}
			}
			// The services verify tokens again, and follow the same feed.
			for (const url of [system.gateway.url, other.url, members?.url])
				expect(await msUntilRevoked(() => listMembers(token, url))).toBeLessThan(effectMsMax);
		} finally {
			await other.stop();
		}
		const late = await startGateway();
		try {
			expect(await listMembers(token, late.url)).toMatchObject({
				status: 401,
				data: { code: 'TOKEN_REVOKED' },
			});
		} finally {
			await late.stop();
		}
	}, 120_000);

	test.each(['LOCKED', 'SUSPENDED'])(
		'and one that is %s just the same; once ACTIVE again a new sign-in works',
		async (status) => {
			const person = await personWith(['MEMBER', 'ADMIN']);
			const { accessToken: token } = await signIn(person);
			expect((await listMembers(token)).status).toBe(200);
			await setStatus(person.id, status);
			expect((await createClub(token)).status).toBe(401);
			expect(await msUntilRevoked(() => listMembers(token))).toBeLessThan(effectMsMax);
			await setStatus(person.id, 'ACTIVE');
			const again = await signIn(person);
			expect((await createClub(again.accessToken)).status).toBe(201);
			expect((await listMembers(token)).status).toBe(401);
		},
	);
});

describe('an officer whose role is taken away', () => {
	test('loses it with the next write; the refreshed token is a member’s', async () => {
		const person = await personWith(['MEMBER', 'FEDERATION_OFFICER']);
		const tokens = await signIn(person);
		expect((await createClub(tokens.accessToken)).status).toBe(201);
		await send('PUT', `/auth/users/${person.id}/roles`, administrator, { roles: ['MEMBER'] });
		expect(await createClub(tokens.accessToken)).toMatchObject({
			status: 401,
			data: { code: 'TOKEN_REVOKED' },
		});
		expect(await msUntilRevoked(() => listMembers(tokens.accessToken))).toBeLessThan(effectMsMax);
		const { refreshToken } = tokens;
		const refreshed = await send('POST', '/auth/refresh', undefined, { refreshToken });
		expect(refreshed.status).toBe(200);
		const token = String(refreshed.data['accessToken']);
		expect((await createClub(token)).data.code).toBe('FORBIDDEN');
		expect((await send('GET', '/auth/profile', token)).status).toBe(200);
	});
});

describe('a session that ends', () => {
	const read = (token: string) => send('GET', '/api/masterdata/countries/none', token);
	const isRevoked = (token: string) => async () => {
		// The route is public, where no token is needed; a protected address says what the gateway makes of it.
		const { status, data } = await send('GET', '/api/members/nobody', token);
		return status === 401 ? { status, data } : { status: 200, data };
	};

	test('by a change of the password takes its access token with it; the session of the change goes on', async () => {
		const person = await personWith(['MEMBER']);
		const [own, stolen] = [await signIn(person), await signIn(person)];
		const body = { currentPassword: password, newPassword: 'another bucket of oats' };
		expect((await send('POST', '/auth/change-password', own.accessToken, body)).status).toBe(200);
		expect(await msUntilRevoked(isRevoked(stolen.accessToken))).toBeLessThan(effectMsMax);
		expect((await isRevoked(own.accessToken)()).status).toBe(200);
		expect((await read(stolen.accessToken)).status).not.toBe(401);
	});

	test('by signing out, or by a stolen refresh token, does so too', async () => {
		const person = await personWith(['MEMBER']);
		const [left, stolen] = [await signIn(person), await signIn(person)];
		expect((await send('POST', '/auth/logout', left.accessToken)).status).toBe(200);
		expect(await msUntilRevoked(isRevoked(left.accessToken))).toBeLessThan(effectMsMax);
		const { refreshToken } = stolen;
		const next = await send('POST', '/auth/refresh', undefined, { refreshToken });
		await send('POST', '/auth/refresh', undefined, { refreshToken: next.data['refreshToken'] });
		expect((await send('POST', '/auth/refresh', undefined, { refreshToken })).status).toBe(401);
		expect(await msUntilRevoked(isRevoked(stolen.accessToken))).toBeLessThan(effectMsMax);
		expect(await msUntilRevoked(isRevoked(String(next.data['accessToken'])))).toBeLessThan(effectMsMax);
	});
});

/** How often auth was called at an address, as its own metrics count. */
async function callsOf(route: string): Promise<number> {
	const text = await (await fetch(`${system.services.auth[0]?.url}/metrics`)).text();
	const lines = text.split('\n').filter((line) => line.startsWith('service_requests_total{'));
	return lines
		.filter((line) => line.includes(`route="${route}"`))
		.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('an ordinary request costs auth nothing', async () => {
	const { accessToken } = await signIn(await personWith(['MEMBER']));
	const before = await callsOf('/internal/session');
	for (let round = 0; round < 50; round += 1) {
		expect((await send('GET', '/api/ping', accessToken)).status).toBe(200);
		expect((await createClub(accessToken)).status).toBe(403);
	}
	expect(await callsOf('/internal/session')).toBe(before);
	await createClub(administrator);
	expect(await callsOf('/internal/session')).toBe(before + 1);
});

test('while auth is down reads and ordinary writes go on, and no administrative write is accepted', async () => {
	const { accessToken: member } = await signIn(await personWith(['MEMBER']));
	const gatewayHealth = async () => (await send('GET', '/actuator/health/gateway', undefined)).data;
	expect((await createClub(administrator)).status).toBe(201);
	expect((await createClub(member)).status).toBe(403);
	const [auth] = system.services.auth;
	await auth?.kill();
	try {
		expect((await listMembers(administrator)).status).toBe(200);
		expect((await createClub(member)).data.code).toBe('FORBIDDEN');
		for (const write of [createClub, forceBreaker])
			expect(await write(administrator)).toMatchObject({
				status: 503,
				data: { code: 'SERVICE_UNAVAILABLE' },
			});
		const isStale = async () => JSON.stringify(await gatewayHealth()).includes('"stale":true');
		await eventually('health shows that the feed is lost', isStale, 15_000);
		expect((await listMembers(administrator)).status).toBe(200);
	} finally {
		await auth?.start();
	}
	await eventually(
		'administration works again',
		async () => (await createClub(administrator)).status === 201,
		30_000,
	);
	await eventually('the feed is followed again', async () => (await gatewayHealth())['status'] === 'UP');
}, 120_000);
