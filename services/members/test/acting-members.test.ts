import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member } from '../src/members/schemas.ts';
import { officeOf } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, person, recordsOf } from './test-records.ts';

const members = useMembers();
let club: Club;
const records = recordsOf(() => members);
const office = officeOf(() => members);

beforeAll(async () => {
	club = await records.createClub('1234');
});

const contact = { phoneNumber: '+4312345678' };
const refused = [403, 'MEMBER_NOT_ACTIVE'];

function officialWho(memberId: string): string {
	const roleScopes = { CLUB_OFFICIAL: { clubIds: [club.id] } };
	return members.sign({ roles: ['MEMBER', 'CLUB_OFFICIAL'], roleScopes, memberId });
}

async function put({ id, firstName, lastName, dateOfBirth }: Member, changes: object, token: string) {
	const body = { firstName, lastName, dateOfBirth, ...changes };
	const { status, data } = await members.call<TestFailure>('PUT', `${path}/${id}`, { token, body });
	return [status, status === 200 ? '' : data.code];
}

/** A member of each state other than ACTIVE, and an unknown id. */
async function inactiveIds(): Promise<Record<'pending' | 'suspended' | 'deleted' | 'unknown', string>> {
	const pending = await records.createMember({ homeClubId: club.id });
	const suspended = await records.activeMember({ homeClubId: club.id });
	await records.step(suspended, 'suspend', { reason: 'x' });
	const deleted = await records.activeMember({ homeClubId: club.id });
	await office.remove(deleted);
	return { pending: pending.id, suspended: suspended.id, deleted: deleted.id, unknown: randomUUID() };
}

// The account of a suspended or deleted member kept its roles and could write.
describe('an official whose own membership is not active', () => {
	test('neither adds nor changes members', async () => {
		const target = await records.activeMember({ homeClubId: club.id });
		for (const [state, id] of Object.entries(await inactiveIds())) {
			const token = officialWho(id);
			const body = person({ homeClubId: club.id, firstName: state });
			const created = await members.call('POST', path, { token, body });
			expect([state, created.status, created.data.code]).toEqual([state, ...refused]);
			expect([state, ...(await put(target, { title: 'Dr.', homeClubId: club.id }, token))]).toEqual([
				state,
				...refused,
			]);
			const made = members.db.selectFrom('members').select('id').where('firstName', '=', state);
			expect(await made.execute()).toEqual([]);
		}
		expect((await records.storedRow(target.id))?.title).toBeNull();
	});

	test('writes again once reinstated, and without a member record of the own', async () => {
		const target = await records.activeMember({ homeClubId: club.id });
		const official = await records.activeMember();
		await records.step(official, 'suspend', { reason: 'x', until: '2026-05-01' });
		const changes = { homeClubId: club.id };
		expect(await put(target, changes, officialWho(official.id))).toEqual(refused);
		await records.step(official, 'reinstate');
		expect(await put(target, changes, officialWho(official.id))).toEqual([200, '']);
		expect(await put(target, changes, members.officialOf(club.id))).toEqual([200, '']);
	});
});

describe('the own record', () => {
	test('of a member whose approval is pending: contact data may be corrected, nothing else', async () => {
		const own = await records.createMember({ homeClubId: club.id });
		expect(await put(own, contact, members.memberIs(own.id))).toEqual([200, '']);
		expect((await records.storedRow(own.id))?.phone).toBe(contact.phoneNumber);
		// The right to the other fields comes from the office of an official, for which the membership must be active.
		expect(await put(own, { ...contact, title: 'Dr.' }, officialWho(own.id))).toEqual([403, 'FORBIDDEN']);
		expect(await put(own, contact, officialWho(own.id))).toEqual([200, '']);
	});

	test('of a suspended member stays as it is', async () => {
		const own = await records.activeMember({ homeClubId: club.id });
		await records.step(own, 'suspend', { reason: 'x' });
		expect(await put(own, contact, members.memberIs(own.id))).toEqual(refused);
		expect((await records.storedRow(own.id))?.phone).toBeNull();
	});
});

test('a guardian whose own membership is not active changes nothing', async () => {
	const guardian = await records.createMember();
	const minor = await records.activeMember({
		dateOfBirth: '2014-01-01',
		guardian: { name: 'Maria', relationship: 'mother', memberId: guardian.id },
	});
	const token = members.memberIs(guardian.id);
	expect(await put(minor, contact, token)).toEqual(refused);
	await records.step(guardian, 'approve');
	expect(await put(minor, contact, token)).toEqual([200, '']);
});

test('the office writes although its own membership is suspended', async () => {
	const own = await records.activeMember();
	await records.step(own, 'suspend', { reason: 'x' });
	for (const role of ['FEDERATION_OFFICER', 'ADMIN'] as const) {
		const token = members.sign({ roles: [role], memberId: own.id });
		expect((await members.call('POST', path, { token, body: person() })).status).toBe(201);
	}
});
