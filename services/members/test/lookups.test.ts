import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Member } from '../src/members/schemas.ts';
import { useMembers } from './running-members.ts';
import { recordsOf } from './test-records.ts';

const members = useMembers();
const records = recordsOf(() => members);

function lookUp(kind: 'members' | 'clubs', ids: string, scopes = ['members:lookup']) {
	return members.call<{ items: { id: string }[] }>('GET', `/internal/${kind}/lookup?ids=${ids}`, {
		token: members.signService(scopes),
	});
}

test('members are returned with the data that an entry needs, deleted ones with their status, unknown ones not at all', async () => {
	const club = await records.createClub('1234', { stateCode: 'AT-3' });
	const member = await records.activeMember({
		homeClubId: club.id,
		feePaidForYear: 2026,
		address: { city: 'Furt', stateCode: 'AT-6' },
	});
	const gone = await records.activeMember();
	await members.call('DELETE', `/api/members/${gone.id}`, { token: members.officer });
	const { data } = await lookUp(
		'members',
		`${member.id.toUpperCase()},${randomUUID()},${gone.id},${member.id}`,
	);
	const lookupOf = ({ id, membershipNumber, firstName, lastName, dateOfBirth, nationality }: Member) => ({
		id,
		membershipNumber,
		firstName,
		lastName,
		dateOfBirth,
		nationality,
	});
	const expected = [
		{
			...lookupOf(member),
			stateCode: 'AT-6',
			homeClubId: club.id,
			homeClubName: 'Verein 1234',
			status: 'ACTIVE',
			feePaidForYear: 2026,
			guardianMemberId: null,
			publishResults: false,
		},
		{
			...lookupOf(gone),
			stateCode: null,
			homeClubId: null,
			homeClubName: null,
			status: 'INACTIVE',
			feePaidForYear: null,
			guardianMemberId: null,
			publishResults: false,
		},
	];
	expect(data.items).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
	const clubs = await lookUp('clubs', `${randomUUID()},${club.id}`);
	expect(clubs.data.items).toEqual([
		{ id: club.id, clubNumber: '1234', name: 'Verein 1234', stateCode: 'AT-3', status: 'ACTIVE' },
	]);
});

test('ids must be 1 to 50 UUIDs', async () => {
	const ids = (count: number) => Array.from({ length: count }, () => randomUUID()).join(',');
	expect((await lookUp('members', ids(50))).status).toBe(200);
	for (const wrong of ['', '1', ids(51), `${ids(1)},`])
		expect((await lookUp('members', wrong)).status).toBe(400);
});

test('another scope is not enough', async () => {
	for (const kind of ['members', 'clubs'] as const)
		expect((await lookUp(kind, randomUUID(), ['horses:lookup'])).status).toBe(403);
});
