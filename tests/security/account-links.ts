import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { demoClubs, demoMembers } from '@paddock/demo';
import { eventually } from '@paddock/testing';
import { api, system, tokens } from './demo-system.ts';

interface Account {
	readonly id: string;
	readonly memberId: string | null;
	readonly code?: string;
	readonly userId?: string;
	readonly errors?: readonly { readonly field: string; readonly code: string }[];
}

test('an officer links an account to a member and to clubs that the members service has, and to no others', async () => {
	const email = `links.${randomUUID().slice(0, 8)}@example.org`;
	const person = { email, password: 'a gate that never sticks', firstName: 'Otto', lastName: 'Reise' };
	await api('POST', '/auth/register', { body: person });
	const first = await system.signIn(email, person.password);
	const { data: account } = await api<Account>('GET', '/auth/profile', { token: first });
	const put = (body: object) =>
		api<Account>('PUT', `/auth/users/${account.id}/roles`, { token: tokens.get('officer') ?? '', body });
	const official = (clubId: string) => ({
		roles: ['MEMBER', 'CLUB_OFFICIAL'],
		roleScopes: { CLUB_OFFICIAL: { clubIds: [clubId] } },
	});

	const unknown = await put({ ...official(randomUUID()), memberId: randomUUID() });
	expect(unknown.data.errors).toMatchObject([
		{ field: 'memberId', code: 'INVALID_REFERENCE' },
		{ field: 'roleScopes.CLUB_OFFICIAL.clubIds[0]', code: 'INVALID_REFERENCE' },
	]);
	// Eva has her account already.
	const taken = await put({ roles: ['MEMBER'], memberId: demoMembers.eva.id });
	expect([taken.status, taken.data.code]).toEqual([409, 'MEMBER_TAKEN']);
	expect(taken.data.userId).toMatch(/^[0-9a-f-]{36}$/);

	const { greta } = demoMembers;
	const [members] = system.services.members;
	await members?.kill();
	const down = await put({ roles: ['MEMBER'], memberId: greta.id });
	expect([down.status, down.data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
	await members?.restart();
	await eventually(
		'the members service is found again',
		async () => {
			const { status } = await put({ ...official(demoClubs.auwiesen.id), memberId: greta.id });
			return status === 200;
		},
		30_000,
	);

	const token = await system.signIn(email, person.password);
	const read = () => api<{ id: string }>('GET', `/api/members/${greta.id}`, { token });
	// The auth service can find it first.
	await eventually('the gateway finds it again', async () => (await read()).status !== 503, 30_000);
	const own = await read();
	expect([own.status, own.data.id]).toEqual([200, greta.id]);
}, 90_000);
