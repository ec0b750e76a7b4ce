import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { TestFailure } from '@paddock/testing';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member } from '../src/members/schemas.ts';
import { officeOf } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { bodyOf, membersPath as path, recordsOf } from './test-records.ts';

const members = useMembers();
let club: Club;
const records = recordsOf(() => members);
const office = officeOf(() => members);
const guardian = { name: 'Maria', relationship: 'mother' };

beforeAll(async () => {
	club = await records.createClub('1234');
});

const child = (dateOfBirth = '2014-01-01', changes: object = {}) =>
	records.activeMember({
		dateOfBirth,
		homeClubId: club.id,
		guardian,
		email: 'eltern@example.org',
		...changes,
	});

/** An account that belongs to no member and is guardian of these by links. */
const parentOf = (...children: readonly Pick<Member, 'id'>[]) =>
	members.sign({ guardianOf: children.map(({ id }) => id) });
const read = <Data = Member>(id: string, token: string) =>
	members.call<Data>('GET', `${path}/${id}`, { token });
const put = (id: string, body: object, token: string) =>
	members.call<Member & TestFailure>('PUT', `${path}/${id}`, { token, body });

describe('a guardian by a link of the account', () => {
	test('reads, lists and searches several children of one mail address, as each of them does', async () => {
		const children = [await child(), await child('2016-01-01')];
		const token = parentOf(...children);
		for (const { id } of children) {
			const byChild = await read(id, members.memberIs(id));
			expect((await read(id, token)).data).toEqual(byChild.data);
		}
		const ids = children.map(({ id }) => id).sort();
		for (const query of ['', '/search?q=eltern@example.org']) {
			const { data } = await members.call<Page<Member>>('GET', `${path}${query}`, { token });
			expect(data.items.map(({ id }) => id).sort()).toEqual(ids);
		}
		expect((await read((await child()).id, token)).status).toBe(404);
	});

	test('changes what the child may change, and no more', async () => {
		const { id } = await child();
		const token = parentOf({ id });
		const { data: shown } = await read(id, token);
		const consents = { publishResults: { given: true }, newsletter: { given: false } };
		const changed = await put(id, { ...shown, email: 'neu@example.org', consents }, token);
		expect([changed.status, changed.data.email, changed.data.consents.publishResults.given]).toEqual([
			200,
			'neu@example.org',
			true,
		]);
		const history = await members.call<{ items: object[] }>('GET', `${path}/${id}/consents`, { token });
		expect(history.data.items).toEqual([
			{
				consent: 'publishResults',
				given: true,
				actingAs: 'GUARDIAN',
				changedAt: changed.data.consents.publishResults.at,
			},
		]);
		const current = (await read(id, token)).data;
		const forbidden = { lastName: 'Anders', dateOfBirth: '2010-01-01', homeClubId: null, guardian: null };
		for (const [field, value] of Object.entries(forbidden)) {
			const refused = await put(id, { ...current, [field]: value }, token);
			const byChild = await put(id, { ...current, [field]: value }, members.memberIs(id));
			expect([field, refused.status, refused.data.errors]).toEqual([field, 403, byChild.data.errors]);
		}
	});

	test('cannot leave out mandatory fields', async () => {
		const { id } = await child();
		const token = parentOf({ id });
		const patch = (body: object, by: string) =>
			members.call<TestFailure>('PATCH', `${path}/${id}`, { token: by, body });
		const missing = [
			{ address: { street: 'Weg 1', city: null } },
			{ emergencyContact: { name: null, relationship: null, phoneNumber: null } },
		];
		for (const body of missing) {
			const [refused, byChild] = [await patch(body, token), await patch(body, members.memberIs(id))];
			expect([refused.status, refused.data.errors]).toEqual([400, byChild.data.errors]);
		}
	});

	// 18 on 2 May 2026; the test's clock begins on 1 May.
	test('loses access when the member is 18, and at once when the birth date is corrected', async () => {
		const [grown, corrected] = [await child('2008-05-01'), await child()];
		const token = parentOf(grown, corrected);
		expect((await read(grown.id, token)).status).toBe(404);
		expect((await put(grown.id, bodyOf(grown), token)).status).toBe(404);
		expect((await read(corrected.id, token)).status).toBe(200);
		await office.put(corrected.id, bodyOf(await office.read(corrected.id), { dateOfBirth: '2000-01-01' }));
		expect((await read(corrected.id, token)).status).toBe(404);
		const { data } = await members.call<Page<Member>>('GET', path, { token });
		expect(data.items).toEqual([]);
	});

	test('changes nothing for a suspended child, as the child does not', async () => {
		const made = await child();
		const token = parentOf(made);
		await records.step(made, 'suspend', { reason: 'x' });
		const { data: shown } = await read(made.id, token);
		expect(shown).not.toHaveProperty('statusReason');
		const refused = await put(made.id, { ...shown, email: 'neu@example.org' }, token);
		expect([refused.status, refused.data.code]).toEqual([403, 'MEMBER_NOT_ACTIVE']);
	});
});

test('a club’s contact does not read the member’s record', async () => {
	const { id } = await child();
	const token = members.sign({ contactFor: [{ clubId: club.id, memberIds: [id] }] });
	expect((await read(id, token)).status).toBe(404);
});

test('services find a member by number and birth date, if both are right and the member is not deleted', async () => {
	const { id, membershipNumber, dateOfBirth } = await child();
	const removed = await child();
	await office.remove(removed);
	const match = async (number: string, day: string, token = members.signService(['members:lookup'])) => {
		const query = `membershipNumber=${number}&dateOfBirth=${day}`;
		return members.call<{ items: unknown[] }>('GET', `/internal/members/match?${query}`, { token });
	};
	expect((await match(membershipNumber, dateOfBirth)).data).toEqual({ items: [{ id, homeClubId: club.id }] });
	expect((await match(membershipNumber, '2014-01-02')).data).toEqual({ items: [] });
	expect((await match(removed.membershipNumber, removed.dateOfBirth)).data).toEqual({ items: [] });
	expect((await match(membershipNumber, dateOfBirth, members.officer)).status).toBe(401);
});
