import { describe, expect, test } from '@jest/globals';
import { type ChildService, freePorts, startChildService } from '@paddock/testing';
import {
	administrator,
	contexts,
	createClub,
	effectMsMax,
	forceBreaker,
	listMembers,
	msUntilRevoked,
	personWith,
	send,
	setStatus,
	signIn,
	system,
	useSystem,
} from './revocation-bench.ts';

useSystem();

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
