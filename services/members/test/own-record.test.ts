import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member } from '../src/members/schemas.ts';
import { blamedFields } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, recordsOf } from './test-records.ts';

const members = useMembers();
let club: Club;
let foreign: Club;
const records = recordsOf(() => members);

beforeAll(async () => {
	club = await records.createClub('1234');
	foreign = await records.createClub('5678');
});

function put<Data = TestFailure>(id: string, body: object, token: string) {
	return members.call<Data>('PUT', `${path}/${id}`, { token, body });
}

describe('PUT /members/{id} by the member', () => {
	const contact = {
		address: { street: 'Neue Gasse 2', postalCode: '1010', city: 'Wien', countryCode: 'AT', stateCode: null },
		email: 'new@example.org',
		phoneNumber: '+4312345678',
		emergencyContact: { name: 'Karl', relationship: null, phoneNumber: '+4312345679' },
	};

	test('changes contact data and consents', async () => {
		const stored = await records.activeMember({ homeClubId: club.id, notes: 'secret', title: 'Dr.' });
		const own = members.memberIs(stored.id);
		const shown = (await members.call<Member>('GET', `${path}/${stored.id}`, { token: own })).data;
		expect(shown).not.toHaveProperty('notes');
		expect(shown).not.toHaveProperty('statusReason');
		const consents = { publishResults: { given: true }, newsletter: { given: false } };
		const { status, data } = await put<Member>(stored.id, { ...shown, ...contact, consents }, own);
		expect([status, data]).toEqual([
			200,
			{
				...shown,
				...contact,
				phone: contact.phoneNumber,
				emergencyContact: { ...contact.emergencyContact, phone: contact.emergencyContact.phoneNumber },
				consents: data.consents,
				version: 3,
				updatedAt: data.updatedAt,
			},
		]);
		expect(data.consents.publishResults.given).toBe(true);
		expect(await records.storedRow(stored.id)).toMatchObject({ notes: 'secret', title: 'Dr.', city: 'Wien' });
	});

	test('does not change omitted fields that the member may not change', async () => {
		const stored = await records.activeMember({ homeClubId: club.id, title: 'Dr.', feePaidForYear: 2026 });
		const { firstName, lastName, dateOfBirth } = stored;
		const body = { firstName, lastName, dateOfBirth, email: 'only@example.org' };
		const { data } = await put<Member>(stored.id, body, members.memberIs(stored.id));
		expect(data).toMatchObject({
			title: 'Dr.',
			feePaidForYear: 2026,
			homeClubId: club.id,
			email: 'only@example.org',
		});
	});

	test('names every field that is not the member’s to change, and changes none', async () => {
		const stored = await records.activeMember({ homeClubId: club.id });
		const changes = {
			membershipNumber: '99990001',
			firstName: 'Other',
			feiId: '12312312',
			homeClubId: foreign.id,
			membershipType: 'HONORARY',
			feePaidForYear: 2030,
			notes: 'mine',
		};
		const { notes: _, statusReason: __, duplicateSuspected: ___, ...body } = stored;
		const { status, data } = await put(
			stored.id,
			{ ...body, ...contact, ...changes },
			members.memberIs(stored.id),
		);
		expect([status, data.code]).toEqual([403, 'FORBIDDEN']);
		expect(blamedFields(data)).toEqual(
			Object.keys(changes)
				.map((field) => `${field} UNKNOWN_FIELD`)
				.sort(),
		);
		expect(await records.storedRow(stored.id)).toMatchObject({ version: 2, email: null });
	});
});
