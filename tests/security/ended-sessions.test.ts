import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import {
	administrator,
	createClub,
	effectMsMax,
	forceBreaker,
	listMembers,
	msUntilRevoked,
	password,
	personWith,
	send,
	signIn,
	system,
	useSystem,
} from './revocation-bench.ts';

useSystem();

describe('a session that ends', () => {
	const read = (token: string) => send('GET', '/api/masterdata/countries/none', token);
	const isRevoked = (token: string) => async () => {
		// The route itself is public; a protected path shows whether the gateway accepts the token.
		const { status, data } = await send('GET', '/api/members/nobody', token);
		return status === 401 ? { status, data } : { status: 200, data };
	};

	test('by a password change revokes its access token; the session of the change continues', async () => {
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

test('while auth is down reads and ordinary writes continue, and administrative writes are refused', async () => {
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
		await auth?.restart();
	}
	await eventually(
		'administration works again',
		async () => (await createClub(administrator)).status === 201,
		30_000,
	);
	await eventually('the feed is followed again', async () => (await gatewayHealth())['status'] === 'UP');
}, 120_000);
