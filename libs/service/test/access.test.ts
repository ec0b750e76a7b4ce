import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openRemoteKeySet, type Role } from '@paddock/identity';
import { silentLogger } from '@paddock/telemetry';
import { createService, type ServiceOptions } from '../src/process/create-service.ts';
import { type ToyDeps, toyId, toyRoutes } from './toy-routes.ts';
import { runToyService, type ToyService } from './toy-service.ts';

let toys: ToyService;
beforeAll(async () => {
	toys = await runToyService();
});
afterAll(() => toys.close());

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

describe('a public route', () => {
	test('has the principal of a valid token', async () => {
		const userId = randomUUID();
		const { data } = await toys.send('GET', '/whoami', bearer(toys.identity.sign({ userId })));
		expect(data['userId']).toBe(userId);
		const always = await toys.send('GET', '/whoami/always', bearer(toys.identity.sign({ userId })));
		expect(always.data['userId']).toBe(userId);
	});

	test.each(['Bearer', 'Bearer x', 'Bearer a b', 'Basic dTpw', 'Bearer eyJhbGciOiJub25lIn0.e30.'])(
		'treats %s as anonymous',
		async (authorization) => {
			const { status, data } = await toys.send('GET', '/whoami', {
				headers: { Authorization: authorization },
			});
			expect([status, data['userId']]).toEqual([200, null]);
		},
	);

	test('treats an expired token as anonymous', async () => {
		const { status, data } = await toys.send('GET', '/whoami', bearer(toys.identity.signExpired()));
		expect([status, data['userId']]).toEqual([200, null]);
	});

	test('that reads a token is refused while none can be verified, unless it may be anonymous', async () => {
		const keys = openRemoteKeySet({
			fetchKeys: () => Promise.reject(new Error('no instance')),
			now: () => new Date(),
			logger: silentLogger(),
		});
		const cutOff = await runToyService({ keys });
		try {
			const { status, code } = await cutOff.send('GET', '/whoami', bearer(toys.identity.sign()));
			expect([status, code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
			expect((await cutOff.send('GET', '/whoami')).data['userId']).toBeNull();
			expect((await cutOff.send('GET', '/whoami', bearer('x'))).data['userId']).toBeNull();
			const always = await cutOff.send('GET', '/whoami/always', bearer(toys.identity.sign()));
			expect([always.status, always.data['userId']]).toEqual([200, null]);
			expect((await cutOff.send('GET', `/toys/${toyId}`, bearer(toys.identity.sign()))).status).toBe(200);
		} finally {
			await cutOff.close();
			keys.close();
		}
	});

	test('believes no header that names a user', async () => {
		const headers = { 'X-User-Id': randomUUID(), 'X-User-Roles': 'ADMIN' };
		expect((await toys.send('GET', '/whoami', { headers })).data['userId']).toBeNull();
		expect((await toys.send('GET', '/members', { headers })).status).toBe(401);
	});

	test('believes no X-Forwarded-For of a peer that is not trusted', async () => {
		const { data } = await toys.send('GET', '/whoami', { headers: { 'X-Forwarded-For': '203.0.113.9' } });
		expect(data['address']).toBe('127.0.0.1');
	});

	test('reads the address that a trusted peer reports, with port or brackets, and logs one that is not usable', async () => {
		const behind = await runToyService({ trustedProxies: ['127.0.0.1'] });
		const addressFrom = async (headers: Record<string, string>) =>
			(await behind.send('GET', '/whoami', { headers })).data['address'];
		try {
			expect(await addressFrom({ 'X-Forwarded-For': '203.0.113.9:5012' })).toBe('203.0.113.9');
			expect(await addressFrom({ 'X-Forwarded-For': '[2001:db8::1]:4711,' })).toBe('2001:db8::1');
			expect(await addressFrom({ Forwarded: 'for="[2001:db8::1]:4711"' })).toBe('2001:db8::1');
			for (let at = 0; at < 2; at += 1)
				expect(await addressFrom({ 'X-Forwarded-For': 'unknown' })).toBe('127.0.0.1');
			const logged = behind.log.filter(({ message }) => message === 'forwarding header not usable');
			expect(logged).toEqual([expect.objectContaining({ value: 'unknown' })]);
		} finally {
			await behind.close();
		}
	});
});

describe('a route for any signed-in user', () => {
	test('accepts any role, and refuses an account without one: its address is not verified', async () => {
		const userId = randomUUID();
		const send = (roles: readonly 'MEMBER'[]) =>
			toys.send('GET', '/members', bearer(toys.identity.sign({ userId, roles })));
		const { status, data } = await send(['MEMBER']);
		expect([status, data]).toEqual([200, { userId }]);
		const unverified = await send([]);
		expect([unverified.status, unverified.code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
	});

	test('reports the reason and the required scheme', async () => {
		const refusals = [
			await toys.send('GET', '/members'),
			await toys.send('GET', '/members', { headers: { Authorization: 'Basic dTpw' } }),
			await toys.send('GET', '/members', bearer('x')),
			await toys.send('GET', '/members', bearer(toys.identity.signExpired())),
		];
		expect(refusals.map(({ status, code }) => [status, code])).toEqual([
			[401, 'UNAUTHENTICATED'],
			[401, 'UNAUTHENTICATED'],
			[401, 'INVALID_TOKEN'],
			[401, 'TOKEN_EXPIRED'],
		]);
		const invalid = 'Bearer error="invalid_token"';
		expect(refusals.map(({ headers }) => headers.get('WWW-Authenticate'))).toEqual([
			...['Bearer', 'Bearer'],
			...[invalid, invalid],
		]);
	});
});

describe('a route for services', () => {
	const internal = (token?: string) =>
		toys.send('GET', '/internal/toys', token === undefined ? {} : bearer(token));

	test('accepts a service with the scope', async () => {
		const { status, data } = await internal(toys.identity.signService(['other:lookup', 'toys:lookup']));
		expect([status, data['scopes']]).toEqual([200, ['other:lookup', 'toys:lookup']]);
	});

	test.each([[[]], [['other:lookup']], [['toys:lookup:all', 'toys']]])(
		'refuses the scopes %j',
		async (scopes) => {
			const { status, code } = await internal(toys.identity.signService(scopes));
			expect([status, code]).toEqual([403, 'FORBIDDEN']);
		},
	);

	test("refuses all other tokens, an administrator's included", async () => {
		const refusals = [
			await internal(),
			await internal(toys.identity.sign({ roles: ['ADMIN'] })),
			await internal(toys.identity.sign({ roles: ['ADMIN'], scopes: ['toys:lookup'] })),
		];
		expect(refusals.map(({ status, code }) => [status, code])).toEqual([
			[401, 'UNAUTHENTICATED'],
			[401, 'INVALID_TOKEN'],
			[401, 'INVALID_TOKEN'],
		]);
	});

	test('hands on the trace of the request', async () => {
		const { data, headers } = await internal(toys.identity.signService(['toys:lookup']));
		expect(data['traceparent']).toBe(headers.get('traceparent'));
	});

	test("is the only one that accepts a service's token", async () => {
		const ofService = bearer(toys.identity.signService(['toys:lookup']));
		expect((await toys.send('GET', '/members', ofService)).code).toBe('INVALID_TOKEN');
		expect((await toys.send('GET', '/whoami', ofService)).data['userId']).toBeNull();
	});

	test.each([
		['a scope on an ordinary path', '/toys/{id}', { scope: 'toys:lookup' }],
		['a role on an internal path', '/internal/toys', { roles: ['ADMIN'] }],
		['any sign-in on an internal path', '/internal/toys', 'signedIn'],
	] as const)('%s stops the start', (_case, path, access) => {
		const [first] = toyRoutes;
		if (first === undefined) throw new Error('no routes');
		const options = { trustedProxies: [], checks: [], routes: [{ ...first, path, access }] };
		expect(() => createService(options as unknown as ServiceOptions<ToyDeps>)).toThrow(
			'a scope is for paths',
		);
	});
});

describe('a route for the office', () => {
	const office = (roles: Role[], body: object = { id: toyId }) =>
		toys.send('POST', '/office', { body, ...bearerAndJson(toys.identity.sign({ roles })) });
	const bearerAndJson = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

	test.each<[Role[]]>([[[]], [['MEMBER']], [['CLUB_OFFICIAL', 'ORGANISER']]])('refuses %j', async (roles) => {
		const { status, code } = await office(roles);
		expect([status, code]).toEqual([403, 'FORBIDDEN']);
	});

	test.each<[Role[]]>([[['FEDERATION_OFFICER']], [['ADMIN']], [['MEMBER', 'ADMIN']]])(
		'lets %j in',
		async (roles) => {
			expect((await office(roles)).code).toBe('TOY_BROKEN');
		},
	);

	test('checks the caller before it reads the body', async () => {
		expect((await toys.send('POST', '/office', { body: '{' })).status).toBe(401);
		expect((await office(['MEMBER'], { isAdmin: true })).status).toBe(403);
		expect((await office(['ADMIN'], { isAdmin: true })).fields).toEqual([
			'id REQUIRED',
			'isAdmin UNKNOWN_FIELD',
		]);
	});

	// A context that happened to be named like a key of every failure used to replace it.
	test('includes the context of a failure without losing its own status', async () => {
		const { status, data } = await office(['ADMIN']);
		expect([status, data['status'], data['part']]).toEqual([409, 409, 'wheel']);
	});
});
