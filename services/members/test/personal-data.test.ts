import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { tracesOf } from '@paddock/testing';
import type { Club } from '../src/clubs/schemas.ts';
import { useMembers } from './running-members.ts';
import { membersPath, recordsOf } from './test-records.ts';

const members = useMembers();
const records = recordsOf(() => members);
let club: Club;

beforeAll(async () => {
	club = await records.createClub('1234');
});

interface Table {
	readonly table: string;
	readonly rows: Record<string, unknown>[] & number;
	readonly outcome: string;
	readonly kept: string | null;
}

async function person(
	method: 'GET' | 'POST',
	memberId: string,
	userId: string = randomUUID(),
	scope?: string,
) {
	const [step, right] = method === 'GET' ? ['export', 'persons:export'] : ['erase', 'persons:erase'];
	const token = members.signService([scope ?? right]);
	const path = `/internal/persons/${userId}/${step}?member=${memberId}`;
	return members.call<{ tables: Table[] }>(method, path, { token });
}

/** Names in every column that can hold one; ASCII, because search texts are folded. */
const fullRecord = (name: string) => ({
	firstName: `Ada${name}`,
	lastName: `Von${name}`,
	title: `Dr. ${name}`,
	dateOfBirth: '2014-05-02',
	homeClubId: club.id,
	email: `${name}@example.org`,
	address: { street: `${name}weg 1`, postalCode: '1010', city: `${name}dorf`, countryCode: 'AT' },
	phoneNumber: '+43 660 7654321',
	guardian: { name: `Eva${name}`, relationship: `${name}tante`, phoneNumber: null, email: null },
	emergencyContact: { name: `Ida${name}`, relationship: null, phoneNumber: '+43 660 7654321' },
	notes: `Notiz ${name}`,
	federationNumber: String(100_000 + name.charCodeAt(0)),
	feiId: String(10_000_000 + name.charCodeAt(0)),
});

test('an export has the whole record, and is for the auth context only', async () => {
	const { id } = await records.activeMember(fullRecord('quendolf'));
	const { status, data } = await person('GET', id);
	expect(status).toBe(200);
	const [own] = data.tables.filter(({ table }) => table === 'members');
	expect(own?.rows).toMatchObject([
		{
			id,
			firstName: 'Adaquendolf',
			dateOfBirth: '2014-05-02',
			guardian: { name: 'Evaquendolf' },
			notes: 'Notiz quendolf',
		},
	]);
	expect(Object.keys(own?.rows[0] ?? {})).not.toContain('nameKey');
	expect((await person('GET', id, undefined, 'members:lookup')).status).toBe(403);
	expect((await person('POST', id, undefined, 'persons:export')).status).toBe(403);
	const token = members.officer;
	const byOffice = await members.call('GET', `/internal/persons/${id}/export?member=${id}`, { token });
	expect(byOffice.status).toBe(401);
	// No member: nothing, rather than all rows without one.
	const guest = await members.call<{ tables: Table[] }>('GET', `/internal/persons/${randomUUID()}/export`, {
		token: members.signService(['persons:export']),
	});
	expect(guest.data.tables.flatMap(({ rows }) => rows)).toEqual([]);
});

test('an erasure leaves no trace of name, address and contacts, keeps the record, and may be repeated', async () => {
	const made = await records.activeMember(fullRecord('rumpelina'));
	const ward = await records.activeMember({
		dateOfBirth: '2014-05-02',
		guardian: { name: 'Rumpelina', relationship: 'aunt', memberId: (await grownUp('rumpelina')).id },
	});
	await records.activeMember({ lastName: 'Untouched' });
	expect(await tracesOf(members.db, 'rumpelina')).toEqual(
		expect.arrayContaining(['member_search', 'members']),
	);
	const first = await person('POST', made.id);
	expect(first.status).toBe(200);
	const guardianId = ward.guardian?.memberId ?? '';
	await person('POST', guardianId);
	expect(await tracesOf(members.db, 'rumpelina')).toEqual([]);
	const recordOf = ({ tables }: typeof first.data) => tables.find(({ table }) => table === 'members');
	const own = recordOf(first.data);
	expect([own?.table, own?.outcome, own?.rows]).toEqual(['members', 'ANONYMISED', 1]);
	expect(own?.kept).toContain('never assigned again');
	const before = await records.storedRow(made.id);
	expect(before).toMatchObject({
		membershipNumber: made.membershipNumber,
		lastName: 'Anonymous',
		dateOfBirth: '1900-01-01',
		feiId: null,
		guardian: null,
	});
	expect(recordOf((await person('POST', made.id)).data)?.outcome).toBe('ANONYMISED');
	expect(await records.storedRow(made.id)).toEqual(before);
	// The office still opens it and the ward's record.
	for (const id of [made.id, ward.id]) {
		const shown = await members.call('GET', `${membersPath}/${id}`, { token: members.officer });
		expect(shown.status).toBe(200);
	}
	expect(await tracesOf(members.db, 'untouched')).toEqual(
		expect.arrayContaining(['member_search', 'members']),
	);
});

const grownUp = (name: string) => records.activeMember({ lastName: name, firstName: 'Grown' });
