import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTokenVerifier, internalAudience, type Role } from '@paddock/identity';
import type { TestResponse } from '@paddock/testing';
import type { UserDto } from '../src/users/schemas.ts';
import { type Person, type RunningAuth, runAuth, type Tokens } from './running-auth.ts';
import { type StubMembers, stubMembers } from './stub-members.ts';

let members: StubMembers;
let auth: RunningAuth;
let admin: string;
let officer: Person & Tokens;

const person = async (...roles: Role[]): Promise<Person & Tokens> => {
	const { email, password, id } = await auth.register();
	await auth.deps.db.updateTable('users').set({ roles }).where('id', '=', id).execute();
	return { email, password, id, ...(await auth.signIn({ email, password })) };
};

beforeAll(async () => {
	members = await stubMembers();
	auth = await runAuth({ registry: members.registry });
	admin = (await auth.administrator()).accessToken;
	officer = await person('MEMBER', 'FEDERATION_OFFICER');
});
afterAll(async () => {
	await auth.close();
	await members.close();
});

type Response = TestResponse<
	UserDto & { code?: string; userId?: string; errors?: { field: string; code: string }[] }
>;

const put = (id: string, body: object, token = officer.accessToken): Promise<Response> =>
	auth.call('PUT', `/auth/users/${id}/roles`, { token, body });
const stored = (id: string) =>
	auth.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const official = (...clubIds: string[]) => ({
	roles: ['MEMBER', 'CLUB_OFFICIAL'],
	roleScopes: { CLUB_OFFICIAL: { clubIds } },
});

describe('the member and the clubs of an account', () => {
	test('must exist: all that do not are named at once, and nothing changes', async () => {
		const { id } = await auth.register();
		const [club, closed, deleted] = [members.club(), members.club('INACTIVE'), members.member('INACTIVE')];
		const body = { ...official(club, randomUUID(), closed), memberId: randomUUID() };
		const response = await put(id, body, admin);
		expect([response.status, response.data.code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(response.data.errors).toMatchObject([
			{ field: 'memberId', code: 'INVALID_REFERENCE' },
			{ field: 'roleScopes.CLUB_OFFICIAL.clubIds[1]', code: 'INVALID_REFERENCE' },
			{ field: 'roleScopes.CLUB_OFFICIAL.clubIds[2]', code: 'INVALID_REFERENCE' },
		]);
		const deletedMember = await put(id, { roles: ['MEMBER'], memberId: deleted }, admin);
		expect(deletedMember.data.errors).toMatchObject([{ field: 'memberId', code: 'INVALID_REFERENCE' }]);
		expect(await stored(id)).toMatchObject({ version: 1, memberId: null, roleScopes: {} });
	});

	test('are looked up with a token of the auth service, for the internal audience and this scope only', async () => {
		const { id } = await auth.register();
		expect((await put(id, { ...official(members.club()), memberId: members.member() })).status).toBe(200);
		const authorization = members.requests.at(-1)?.headers.authorization ?? '';
		const verifierOf = (audience: string) =>
			createTokenVerifier({ keys: auth.keys, issuer: 'paddock', audience, now: auth.clock.now });
		const token = authorization.replace('Bearer ', '');
		expect(await verifierOf(internalAudience('paddock')).verify(token)).toMatchObject({
			roles: [],
			scopes: ['members:lookup', 'persons:export', 'persons:erase'],
		});
		await expect(verifierOf('paddock').verify(token)).rejects.toThrow();
	});

	test('are looked up 50 at a time', async () => {
		const { id } = await auth.register();
		const clubs = Array.from({ length: 50 }, () => members.club());
		const body = {
			roles: ['CLUB_OFFICIAL', 'ORGANISER'],
			roleScopes: { CLUB_OFFICIAL: { clubIds: clubs }, ORGANISER: { clubIds: [members.club()] } },
		};
		expect((await put(id, body)).status).toBe(200);
	});

	test('are not accepted unchecked while the members service is unreachable: 503 and no change', async () => {
		const { id } = await auth.register();
		const memberId = members.member();
		members.reachable(false);
		try {
			const response = await put(id, { roles: ['MEMBER'], memberId });
			expect([response.status, response.data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
			expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
			expect((await stored(id)).memberId).toBeNull();
		} finally {
			members.reachable(true);
		}
		expect((await put(id, { roles: ['MEMBER'], memberId })).status).toBe(200);
	});

	test('that the account already has are not looked up: a role can be removed while members is down', async () => {
		const { id } = await auth.register();
		const [club, other, memberId] = [members.club(), members.club(), members.member()];
		expect((await put(id, { ...official(club, other), memberId })).status).toBe(200);
		members.reachable(false);
		try {
			const fewer = await put(id, { ...official(club), memberId });
			expect([fewer.status, fewer.data.roleScopes, fewer.data.memberId]).toEqual([
				200,
				{ CLUB_OFFICIAL: { clubIds: [club] } },
				memberId,
			]);
			expect((await put(id, { roles: ['MEMBER'], memberId: null })).status).toBe(200);
		} finally {
			members.reachable(true);
		}
	});
});

describe('one account per member', () => {
	test('a second one is refused with the id of the account that has the member, until that is unlinked', async () => {
		const [first, second] = [await auth.register(), await auth.register()];
		const memberId = members.member();
		expect((await put(first.id, { roles: ['MEMBER'], memberId })).status).toBe(200);
		const taken = await put(second.id, { roles: ['MEMBER'], memberId });
		expect([taken.status, taken.data.code, taken.data.userId]).toEqual([409, 'MEMBER_TAKEN', first.id]);
		expect((await stored(second.id)).memberId).toBeNull();
		expect((await put(first.id, { roles: ['MEMBER'], memberId })).status).toBe(200);
		expect((await put(first.id, { roles: ['MEMBER'], memberId: null })).status).toBe(200);
		expect((await put(second.id, { roles: ['MEMBER'], memberId })).status).toBe(200);
	});

	test('of several that are linked at once one wins', async () => {
		const people = await Promise.all(Array.from({ length: 5 }, () => auth.register()));
		const memberId = members.member();
		const responses = await Promise.all(people.map(({ id }) => put(id, { roles: ['MEMBER'], memberId })));
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
	});

	test('that the migration unlinked is settled once an officer sets its member, to none as well', async () => {
		const [holder, unlinked] = [await auth.register(), await auth.register()];
		const row = { userId: unlinked.id, memberId: members.member(), keptBy: holder.id };
		await auth.deps.db.insertInto('unlinkedMembers').values(row).execute();
		const open = () =>
			auth.deps.db.selectFrom('unlinkedMembers').selectAll().where('userId', '=', unlinked.id).execute();
		await put(unlinked.id, { roles: ['MEMBER', 'ORGANISER'] });
		expect(await open()).toHaveLength(1);
		await put(unlinked.id, { roles: ['MEMBER'], memberId: null });
		expect(await open()).toEqual([]);
	});

	test('is enforced by the database', async () => {
		const [first, second] = [await auth.register(), await auth.register()];
		const set = (id: string) =>
			auth.deps.db
				.updateTable('users')
				.set({ memberId: '5f000000-0000-4000-8000-00000000beef' })
				.where('id', '=', id);
		await set(first.id).execute();
		await expect(set(second.id).execute()).rejects.toThrow('users_member_unique');
	});
});

describe('an officer of the federation', () => {
	test('finds and reads accounts, links a member and gives roles for clubs', async () => {
		const { id, email } = await auth.register();
		const token = officer.accessToken;
		const found = await auth.call<{ items: UserDto[] }>('GET', `/auth/users?q=${encodeURIComponent(email)}`, {
			token,
		});
		expect(found.data.items.map((user) => user.id)).toEqual([id]);
		expect((await auth.call('GET', `/auth/users/${id}`, { token })).status).toBe(200);
		const memberId = members.member();
		const linked = await put(id, { ...official(members.club()), memberId });
		expect([linked.status, linked.data.memberId]).toEqual([200, memberId]);
	});

	test.each(['FEDERATION_OFFICER', 'ADMIN'] as const)('does not grant %s', async (role) => {
		const { id } = await auth.register();
		const response = await put(id, { roles: ['MEMBER', role] });
		expect([response.status, response.data.code]).toEqual([403, 'FORBIDDEN']);
		expect((await stored(id)).roles).toEqual(['MEMBER']);
	});

	test.each(['FEDERATION_OFFICER', 'ADMIN'] as const)(
		'changes neither roles nor member of an account with %s',
		async (role) => {
			const other = await person('MEMBER', role);
			for (const body of [
				{ roles: ['MEMBER'] },
				{ roles: ['MEMBER', role], memberId: members.member() },
				official(members.club()),
			])
				expect((await put(other.id, body)).status).toBe(403);
			expect(await stored(other.id)).toMatchObject({ version: 1, memberId: null });
		},
	);

	test('changes nothing of the own account', async () => {
		const body = { roles: ['MEMBER', 'FEDERATION_OFFICER'], memberId: members.member() };
		expect((await put(officer.id, body)).status).toBe(403);
	});

	test('neither changes a status nor releases an account', async () => {
		const { id } = await auth.register();
		const token = officer.accessToken;
		const body = { status: 'CLOSED' };
		expect((await auth.call('PUT', `/auth/users/${id}/status`, { token, body })).status).toBe(403);
		expect((await auth.call('POST', `/auth/users/${id}/release`, { token })).status).toBe(403);
	});

	test('loses these rights with the role, whatever the token claims', async () => {
		const former = await person('MEMBER', 'FEDERATION_OFFICER');
		const { id } = await auth.register();
		expect((await put(former.id, { roles: ['MEMBER'] }, admin)).status).toBe(200);
		expect((await put(id, official(members.club()), former.accessToken)).status).toBe(403);
		expect((await auth.call('GET', '/auth/users', { token: former.accessToken })).status).toBe(403);
	});
});
