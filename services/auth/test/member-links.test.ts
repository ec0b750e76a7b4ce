import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { createTokenVerifier, type Principal, representedMax } from '@paddock/identity';
import { silentLogger } from '@paddock/telemetry';
import { eventually, type TestFailure, type TestResponse } from '@paddock/testing';
import { createClubRefresh } from '../src/member-links/member-clubs.ts';
import type { LinkRequest, MemberLink } from '../src/member-links/schemas.ts';
import type { LinkedMember } from '../src/peers/members.ts';
import { type Person, type RunningAuth, runAuth, type Tokens } from './running-auth.ts';
import { type StubMembers, stubMembers } from './stub-members.ts';

let members: StubMembers;
let auth: RunningAuth;
let club: string;
let official: Person & Tokens;
let officer: Person & Tokens;

type Caller = Pick<Tokens, 'accessToken'>;

async function withRights(rights: object): Promise<Person & Tokens> {
	const person = await auth.register();
	await auth.deps.db.updateTable('users').set(rights).where('id', '=', person.id).execute();
	return { ...person, ...(await auth.signIn(person)) };
}

const officialOf = (clubId: string) =>
	withRights({
		roles: ['MEMBER', 'CLUB_OFFICIAL'],
		roleScopes: JSON.stringify({ CLUB_OFFICIAL: { clubIds: [clubId] } }),
	});

beforeAll(async () => {
	members = await stubMembers();
	auth = await runAuth({ registry: members.registry });
});
beforeEach(async () => {
	officer = await withRights({ roles: ['MEMBER', 'FEDERATION_OFFICER'] });
	club = members.club();
	official = await officialOf(club);
});
afterAll(async () => {
	await auth.close();
	await members.close();
});

const path = '/auth/member-links';

function post<Data = MemberLink>(
	to: string,
	{ accessToken: token }: Caller,
	body?: object,
): Promise<TestResponse<Data & TestFailure>> {
	return auth.call('POST', `${path}${to}`, { token, ...(body === undefined ? {} : { body }) });
}

const claimOf = (
	{ membershipNumber, dateOfBirth }: Pick<LinkedMember, 'membershipNumber' | 'dateOfBirth'>,
	relationship: string,
) => ({ relationship, membershipNumber, dateOfBirth });

async function claim(by: Caller, member: LinkedMember, relationship = 'GUARDIAN'): Promise<MemberLink> {
	const { status, data } = await post('', by, claimOf(member, relationship));
	expect(status).toBe(201);
	return data;
}

const confirm = ({ id }: Pick<MemberLink, 'id'>, by: Caller = official) =>
	post<LinkRequest>(`/${id}/confirm`, by);

async function linked(by: Person & Tokens, member: LinkedMember, relationship?: string): Promise<MemberLink> {
	const link = await claim(by, member, relationship);
	const { status, text } = await confirm(link);
	expect([status, text]).toEqual([200, expect.any(String)]);
	return link;
}

/** What the account's token of now says. */
async function principalOf(person: Person): Promise<Principal> {
	const { accessToken } = await auth.signIn(person);
	const verifier = createTokenVerifier({
		keys: auth.keys,
		issuer: 'paddock',
		audience: 'paddock',
		now: auth.clock.now,
	});
	return verifier.verify(accessToken);
}

const own = async ({ accessToken: token }: Caller, query = '') =>
	(await auth.call<Page<MemberLink>>('GET', `${path}${query}`, { token })).data.items;
const requests = async ({ accessToken: token }: Caller, query = '') =>
	(await auth.call<Page<LinkRequest>>('GET', `${path}/requests${query}`, { token })).data.items;

/** Born so that the 18th birthday is that many days after today. */
function child(daysToBirthday = 2000, data: Partial<LinkedMember> = {}): LinkedMember {
	const birthday = new Date(auth.clock.now().getTime() + daysToBirthday * 86_400_000);
	const [year = '', rest = ''] = birthday.toISOString().slice(0, 10).split(/-(.*)/s);
	return members.person({ dateOfBirth: `${Number(year) - 18}-${rest}`, homeClubId: club, ...data });
}

test('changes of a link are in the history of the account', async () => {
	const parent = await auth.member();
	const link = await linked(parent, child());
	const { data } = await auth.call<Page<{ recordType: string; recordId: string; operation: string }>>(
		'GET',
		`/auth/users/${parent.id}/history`,
		{ token: officer.accessToken },
	);
	const ofLink = data.items.filter(({ recordType }) => recordType === 'MEMBER_LINK');
	expect(ofLink.map(({ recordId, operation }) => `${recordId} ${operation}`)).toEqual([
		`${link.id} CHANGED`,
		`${link.id} CREATED`,
	]);
});

describe('a claim', () => {
	test('responds the same for a member, a claimed member, wrong data and a deleted member', async () => {
		const parent = await auth.member();
		const claimed = child();
		await linked(await auth.member(), claimed, 'SELF');
		const bodies = [
			claimOf(child(), 'SELF'),
			claimOf(claimed, 'SELF'),
			claimOf({ ...child(), dateOfBirth: '2011-11-11' }, 'SELF'),
			claimOf({ ...child(), membershipNumber: '99999999' }, 'SELF'),
			claimOf(child(2000, { status: 'INACTIVE' }), 'SELF'),
		];
		for (const body of bodies) {
			const { status, data, message } = await post('', parent, body);
			const { id, createdAt, updatedAt } = data;
			expect([status, message, data]).toEqual([
				201,
				'Requested',
				{
					...body,
					id,
					status: 'REQUESTED',
					memberId: null,
					holdsUntil: null,
					reason: null,
					decidedAt: null,
					endedAt: null,
					createdAt,
					updatedAt,
					version: 1,
				},
			]);
		}
		expect(new Set((await own(parent)).map((link) => Object.keys(link).join())).size).toBe(1);
	});

	test('is shown to the officials of the club and the office, and to no other club and no other account', async () => {
		const parent = await auth.member();
		const member = child();
		const { id } = await claim(parent, member);
		const [shown] = await requests(official, '?status=REQUESTED');
		expect(shown).toMatchObject({
			id,
			account: { userId: parent.id, email: parent.email },
			member: { id: member.id, name: 'Mia Huber', homeClubId: club },
		});
		expect((await requests(officer, `?clubId=${club}`)).map((one) => one.id)).toEqual([id]);
		for (const q of [parent.email, member.membershipNumber])
			expect((await requests(official, `?q=${encodeURIComponent(q)}`)).map((one) => one.id)).toEqual([id]);
		expect(await requests(official, '?q=nobody')).toEqual([]);
		expect(await requests(official, '?updatedSince=2100-01-01T00:00:00.000Z')).toEqual([]);
		expect((await requests(official, '?status=REQUESTED,ENDED&sort=-updatedAt')).length).toBe(1);
		const other = await officialOf(members.club());
		expect(await requests(other)).toEqual([]);
		expect((await confirm({ id }, other)).status).toBe(404);
		expect((await post(`/${id}/decline`, other, { reason: 'x' })).status).toBe(404);
		const stranger = await auth.member();
		expect(await own(stranger)).toEqual([]);
		expect((await post(`/${id}/end`, stranger, { reason: 'x' })).status).toBe(404);
		for (const [by, status] of [
			[parent, 200],
			[official, 200],
			[officer, 200],
			[other, 404],
			[stranger, 404],
		] as const) {
			const read = await auth.call('GET', `${path}/${id}`, { token: by.accessToken });
			expect(read.status).toBe(status);
		}
		expect((await auth.call('GET', `${path}/requests`, { token: stranger.accessToken })).status).toBe(403);
	});

	test('that matches no member is shown to the office only, which declines it', async () => {
		const parent = await auth.member();
		const { id } = await claim(parent, { ...child(), dateOfBirth: '2011-11-11' });
		expect(await requests(official)).toEqual([]);
		const shown = (await requests(officer)).find((one) => one.id === id);
		expect(shown?.member).toBeNull();
		const refused = await confirm({ id }, officer);
		expect([refused.status, refused.data.code]).toEqual([409, 'LINK_UNMATCHED']);
		const declined = await post(`/${id}/decline`, officer, { reason: 'Wrong birth date.' });
		expect(declined.status).toBe(200);
		expect(await own(parent)).toMatchObject([
			{ status: 'DECLINED', reason: 'Wrong birth date.', memberId: null },
		]);
		expect((await confirm({ id }, officer)).data.code).toBe('LINK_NOT_OPEN');
	});

	test('is refused after ten in a day, whether they match or not', async () => {
		const parent = await auth.member();
		for (let made = 0; made < 10; made += 1)
			await claim(parent, made % 2 === 0 ? child() : members.person({}));
		const refused = await post('', parent, claimOf(child(), 'GUARDIAN'));
		expect([refused.status, refused.data.code]).toEqual([429, 'RATE_LIMITED']);
		expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(86_000);
		expect(await own(parent)).toHaveLength(10);
	});

	test('lapses after 30 days without a decision', async () => {
		const parent = await auth.member();
		const link = await claim(parent, child());
		auth.clock.advance(30 * 86_400_000);
		const later = await auth.signIn(parent);
		expect(await own(later)).toMatchObject([{ status: 'ENDED', memberId: null }]);
		expect(await own(later, '?status=REQUESTED')).toEqual([]);
		expect((await own(later, '?status=ENDED')).map(({ id }) => id)).toEqual([link.id]);
		const refused = await confirm(link, await auth.signIn(official));
		expect([refused.status, refused.data.code]).toEqual([409, 'LINK_NOT_OPEN']);
	});

	test('is not confirmed by its own account, whatever role that has', async () => {
		const link = await claim(official, child());
		expect((await confirm(link, official)).status).toBe(403);
		const ofOffice = await claim(officer, child());
		expect((await confirm(ofOffice, officer)).status).toBe(403);
		// As for roles, an official does not extend the rights of an account of the office.
		expect((await confirm(ofOffice, official)).status).toBe(403);
		expect((await confirm(link, await officialOf(club))).status).toBe(200);
	});
});

describe('a guardian', () => {
	test('acts for several children with one account', async () => {
		const parent = await auth.member();
		const children = [child(), child(2500)];
		for (const each of children) await linked(parent, each);
		const { memberId, guardianOf } = await principalOf(parent);
		expect([memberId, [...guardianOf].sort()]).toEqual([undefined, children.map(({ id }) => id).sort()]);
	});

	test('has no right before the confirmation, and the former token ends with it', async () => {
		const parent = await auth.member();
		const link = await claim(parent, child());
		expect((await principalOf(parent)).guardianOf).toEqual([]);
		const live = async (token: string) =>
			(await auth.call<{ live: boolean }>('GET', '/internal/session', { token })).data.live;
		expect(await live(parent.accessToken)).toBe(true);
		await confirm(link);
		expect(await live(parent.accessToken)).toBe(false);
		const refreshed = await auth.call<Tokens>('POST', '/auth/refresh', {
			body: { refreshToken: parent.refreshToken },
		});
		expect(await live(refreshed.data.accessToken)).toBe(true);
	});

	test('loses the right on the 18th birthday: no token outlives it, and no new one has it', async () => {
		const parent = await auth.member();
		const member = child(3);
		const { id } = await linked(parent, member);
		const birthday = Date.parse((await own(await auth.signIn(parent)))[0]?.holdsUntil ?? '');
		// Midnight in Vienna.
		expect(new Date(birthday).toISOString()).toMatch(/T2[23]:00:00\.000Z$/);
		auth.clock.advance(birthday - 60_000 - auth.clock.now().getTime());
		const last = await principalOf(parent);
		expect(last.guardianOf).toEqual([member.id]);
		// Verifiers accept it for 30 s more.
		expect(last.expiresAt.getTime() + 30_000).toBeLessThanOrEqual(birthday);
		auth.clock.advance(35_000);
		expect((await principalOf(parent)).guardianOf).toEqual([]);
		auth.clock.advance(25_000);
		expect((await own(await auth.signIn(parent))).map(({ id: one, status }) => [one, status])).toEqual([
			[id, 'ENDED'],
		]);
	});

	test('is not made for a member of age', async () => {
		const link = await claim(await auth.member(), child(0));
		const refused = await confirm(link);
		expect([refused.status, refused.data.code]).toEqual([409, 'MEMBER_OF_AGE']);
	});

	test('is judged by the present record: another club decides, and another birth date counts', async () => {
		const member = child();
		const link = await claim(await auth.member(), member);
		members.person({ id: member.id, homeClubId: members.club() });
		expect((await confirm(link)).status).toBe(404);
		members.person({ id: member.id, dateOfBirth: '1990-01-01' });
		expect((await confirm(link, officer)).data.code).toBe('MEMBER_OF_AGE');
	});

	test('loses the right at once when the link is ended, by the guardian or with a reason by the club', async () => {
		for (const byClub of [false, true]) {
			const parent = await auth.member();
			const link = await linked(parent, child());
			const current = await auth.signIn(parent);
			if (byClub) {
				const without = await post(`/${link.id}/end`, official, { reason: null });
				expect([without.status, without.data.errors?.[0]?.field]).toEqual([400, 'reason']);
			}
			const by = byClub ? official : current;
			const ended = await post(`/${link.id}/end`, by, { reason: byClub ? 'Custody changed.' : null });
			expect([ended.status, ended.data.status]).toEqual([200, 'ENDED']);
			expect((await principalOf(parent)).guardianOf).toEqual([]);
			const { data } = await auth.call<{ live: boolean }>('GET', '/internal/session', {
				token: current.accessToken,
			});
			expect(data.live).toBe(false);
			expect((await confirm(link)).data.code).toBe('LINK_NOT_OPEN');
		}
	});

	test('acts for a bounded number of members, and the longest token is still issued', async () => {
		const clubIds = Array.from({ length: 50 }, () => randomUUID());
		const parent = await withRights({
			roles: ['MEMBER', 'CLUB_OFFICIAL', 'ORGANISER'],
			roleScopes: JSON.stringify({ CLUB_OFFICIAL: { clubIds }, ORGANISER: { clubIds } }),
			memberId: members.member(),
		});
		const link = (relationship: 'GUARDIAN' | 'CLUB_CONTACT', clubId: string) => ({
			userId: parent.id,
			relationship,
			status: 'CONFIRMED' as const,
			memberId: randomUUID(),
			clubId,
			holdsUntil: relationship === 'GUARDIAN' ? new Date(auth.clock.now().getTime() + 1e10) : null,
			createdAt: auth.clock.now(),
			updatedAt: auth.clock.now(),
		});
		const contacts = Array.from({ length: 5 }, () => link('CLUB_CONTACT', randomUUID()));
		const children = Array.from({ length: representedMax - 5 }, () => link('GUARDIAN', club));
		await auth.deps.db
			.insertInto('memberLinks')
			.values([...contacts, ...children])
			.execute();
		const principal = await principalOf(parent);
		expect([principal.guardianOf.length, principal.contactFor.length]).toEqual([representedMax - 5, 5]);
		const refused = await confirm(await claim(await auth.signIn(parent), child()));
		expect([refused.status, refused.data.code]).toEqual([409, 'TOO_MANY_LINKS']);
		expect((await principalOf(parent)).guardianOf).toHaveLength(representedMax - 5);
	});
});

describe('the member of an account', () => {
	test('is linked by a claim, once for the member and once for the account', async () => {
		const [first, second] = [await auth.member(), await auth.member()];
		const member = child();
		await linked(first, member, 'SELF');
		expect((await principalOf(first)).memberId).toBe(member.id);
		const again = await confirm(await claim(second, member, 'SELF'));
		expect([again.status, again.data.code]).toEqual([409, 'MEMBER_ALREADY_LINKED']);
		expect((await principalOf(second)).memberId).toBeUndefined();
		const third = await claim(await auth.signIn(first), child(), 'SELF');
		expect((await confirm(third)).data.code).toBe('ACCOUNT_HAS_MEMBER');
	});

	test('may have a guardian besides, and concurrent confirmations of two accounts leave one', async () => {
		const member = child();
		await linked(await auth.member(), member);
		const claims = [];
		for (let made = 0; made < 4; made += 1) claims.push(await claim(await auth.member(), member, 'SELF'));
		const statuses = (await Promise.all(claims.map((link) => confirm(link)))).map(({ status }) => status);
		expect(statuses.sort()).toEqual([200, 409, 409, 409]);
	});

	test('is ended with the link, and can then be claimed by another account', async () => {
		const [first, second] = [await auth.member(), await auth.member()];
		const member = child();
		const link = await linked(first, member, 'SELF');
		await post(`/${link.id}/end`, official, { reason: 'A mistake.' });
		expect((await principalOf(first)).memberId).toBeUndefined();
		await linked(second, member, 'SELF');
		expect((await principalOf(second)).memberId).toBe(member.id);
	});

	test('as the office sets it with the roles is a link as well, and ends with the next one', async () => {
		const person = await auth.member();
		const [one, two] = [members.member(), members.member()];
		for (const memberId of [one, two]) {
			const body = { roles: ['MEMBER'], memberId };
			const put = `/auth/users/${person.id}/roles`;
			expect((await auth.call('PUT', put, { token: officer.accessToken, body })).status).toBe(200);
		}
		const links = await auth.deps.db
			.selectFrom('memberLinks')
			.select(['memberId', 'status', 'relationship', 'decidedBy', 'endedBy'])
			.where('userId', '=', person.id)
			.orderBy('createdAt')
			.orderBy('status', 'desc')
			.execute();
		expect(links).toEqual([
			{ memberId: one, status: 'ENDED', relationship: 'SELF', decidedBy: officer.id, endedBy: officer.id },
			{ memberId: two, status: 'CONFIRMED', relationship: 'SELF', decidedBy: officer.id, endedBy: null },
		]);
	});
});

describe('after a move of the member to another club', () => {
	const listed = async ({ accessToken: token }: Caller, query = '') => {
		const to = `${path}/requests${query}`;
		const { data, text } = await auth.call<Page<LinkRequest>>('GET', to, { token });
		return { ids: data.items.map(({ id }) => id), total: data.pagination.totalElements, text };
	};
	const move = (member: LinkedMember) => members.person({ id: member.id, homeClubId: members.club() });
	beforeEach(() => auth.clock.advance(1_000));

	// The list compared the club of the claim, and showed the present name to officials of it.
	test('a link is not shown to officials of the former club any more', async () => {
		const [parent, member] = [await auth.member(), child(2000, { firstName: 'Theodora' })];
		const first = await claim(parent, child());
		await linked(parent, member);
		await claim(parent, member);
		expect(await listed(official)).toMatchObject({ total: 3, text: expect.stringContaining('Theodora') });
		move(member);
		const seen = await listed(official);
		expect([seen.ids, seen.total]).toEqual([[first.id], 1]);
		expect(seen.text).not.toMatch(/Theodora/);
		expect((await listed(officer, `?clubId=${club}`)).ids).toEqual([first.id]);
	});

	test('pages of the former club are filled with its other links', async () => {
		const kept = [];
		for (let made = 0; made < 6; made += 1) {
			const member = child();
			auth.clock.advance(1_000);
			const link = await claim(await auth.member(), member);
			if (made % 2 === 0) kept.unshift(link.id);
			else move(member);
		}
		const { ids, total } = await listed(official, '?size=3');
		expect([ids, total]).toEqual([kept, 3]);
	});

	// Each reading of the page finds further members that have moved.
	test('no row of a member that has moved is shown, however many have', async () => {
		const made = [];
		for (let count = 0; count < 5; count += 1) {
			made.push(child());
			await claim(await auth.member(), made.at(-1) ?? child());
		}
		const stays = await claim(await auth.member(), child());
		await auth.deps.db
			.updateTable('memberLinks')
			.set({ createdAt: new Date(auth.clock.now().getTime() - 60_000) })
			.where('id', '=', stays.id)
			.execute();
		for (const member of made) move(member);
		expect((await listed(official, '?size=1')).ids).toEqual([]);
		expect((await listed(official, '?size=1')).ids).toEqual([stays.id]);
	});

	test('a link is listed for the new club: at once if an official reads it, and after the maintenance', async () => {
		const parent = await auth.member();
		const [read, unread] = [child(), child()];
		const one = await claim(parent, read);
		auth.clock.advance(1_000);
		const two = await linked(parent, unread);
		const { homeClubId } = move(read);
		members.person({ id: unread.id, homeClubId });
		const next = await officialOf(homeClubId ?? '');
		const get = await auth.call('GET', `${path}/${one.id}`, { token: next.accessToken });
		expect(get.status).toBe(200);
		expect(await listed(next)).toMatchObject({ ids: [one.id], total: 1 });
		await eventually('the members were looked up', async () => {
			await auth.deps.maintenance.run();
			return (await listed(next)).total === 2;
		});
		expect((await listed(next)).ids).toEqual([two.id, one.id]);
		expect((await listed(officer, `?clubId=${homeClubId}`)).ids).toEqual([two.id, one.id]);
		// The link has not changed.
		expect((await own(parent)).map(({ version }) => version)).toEqual([2, 1]);
		const history = await auth.deps.db
			.selectFrom('changes')
			.select('before')
			.where('recordId', '=', parent.id)
			.execute();
		expect(JSON.stringify(history)).not.toMatch(/member_club_id/);
	});

	test('links of the version before are listed by the club of their claim', async () => {
		const parent = await auth.member();
		const member = child();
		const { id } = await claim(parent, member);
		const now = auth.clock.now();
		const beside = await auth.deps.db
			.insertInto('memberLinks')
			.values({
				userId: parent.id,
				memberId: member.id,
				clubId: club,
				relationship: 'GUARDIAN',
				status: 'REQUESTED',
				createdAt: now,
				updatedAt: now,
			})
			.returning(['id', 'memberClubId'])
			.executeTakeFirstOrThrow();
		expect(beside.memberClubId).toBe(club);
		await auth.deps.db.updateTable('memberLinks').set({ memberClubId: null }).where('id', '=', id).execute();
		const memberDirectory = { ...auth.deps.memberDirectory, members: async () => new Map() };
		await createClubRefresh({ db: auth.deps.db, memberDirectory, logger: silentLogger() })();
		expect(new Set((await listed(official)).ids)).toEqual(new Set([id, beside.id]));
	});

	test('a contact has no right for the new club', async () => {
		const trainer = await auth.member();
		const member = child();
		const link = await linked(trainer, member, 'CLUB_CONTACT');
		const next = await officialOf(move(member).homeClubId ?? '');
		await auth.call('GET', `${path}/${link.id}`, { token: next.accessToken });
		expect((await listed(next)).ids).toEqual([link.id]);
		expect((await listed(official)).ids).toEqual([]);
		expect((await principalOf(trainer)).contactFor).toEqual([{ clubId: club, memberIds: [member.id] }]);
	});
});

test('a link that the office makes is listed for officials of the member’s club', async () => {
	const person = await auth.member();
	const body = { roles: ['MEMBER'], memberId: child().id };
	const put = await auth.call('PUT', `/auth/users/${person.id}/roles`, { token: officer.accessToken, body });
	expect(put.status).toBe(200);
	const [link] = await own(await auth.signIn(person));
	for (const [by, query] of [
		[official, ''],
		[officer, `?clubId=${club}`],
	] as const)
		expect((await requests(by, query)).map(({ id }) => id)).toEqual([link?.id]);
});

test('a club’s contact is named for members of the club, not for those without one', async () => {
	const trainer = await auth.member();
	const member = members.person({ homeClubId: club });
	await linked(trainer, member, 'CLUB_CONTACT');
	expect((await principalOf(trainer)).contactFor).toEqual([{ clubId: club, memberIds: [member.id] }]);
	const clubless = await claim(await auth.signIn(trainer), members.person({}), 'CLUB_CONTACT');
	expect((await confirm(clubless, officer)).data.code).toBe('MEMBER_WITHOUT_CLUB');
});

// It was ignored, although a link has an ETag.
test.each(['confirm', 'decline', 'end'] as const)('%s honours If-Match', async (name) => {
	const parent = await auth.member();
	const { id, version } = await claim(parent, child());
	const decide = (ifMatch: string) =>
		auth.call<MemberLink>('POST', `${path}/${id}/${name}`, {
			token: official.accessToken,
			headers: { 'If-Match': ifMatch },
			...(name === 'confirm' ? {} : { body: { reason: 'Not known to the club' } }),
		});
	expect((await decide(`"${version + 1}"`)).status).toBe(412);
	expect((await own(parent)).map(({ status }) => status)).toEqual(['REQUESTED']);
	expect((await decide(`"${version}"`)).status).toBe(200);
	// A repeated end has been applied, whatever its version (RFC 9110 §13.1.1).
	if (name === 'end') expect((await decide(`"${version}"`)).status).toBe(200);
});
