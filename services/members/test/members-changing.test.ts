import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member } from '../src/members/schemas.ts';
import { blamedFields, officeOf } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { bodyOf, membersPath as path, person, recordsOf } from './test-records.ts';

const members = useMembers();
const { call } = members;
let club: Club;
const records = recordsOf(() => members);
const { put } = officeOf(() => members);

beforeAll(async () => {
	club = await records.createClub('1234');
});

describe('PUT /members/{id} by the office', () => {
	test('changes the named fields, clears those that are null, and increments the version', async () => {
		const stored = await records.createMember({
			title: 'Mag.',
			gender: 'FEMALE',
			notes: 'x',
			joinDate: '2011-11-11',
			homeClubId: club.id,
			address: { city: 'Furt', stateCode: 'AT-3' },
			consents: { publishResults: { given: true }, newsletter: { given: true } },
		});
		members.clock.advance(60_000);
		const named = { firstName: 'Neu', lastName: 'Name', dateOfBirth: '1991-01-01', notes: null };
		const body = { ...named, gender: null, address: { stateCode: null } };
		const { status, data, headers } = await put<Member>(stored.id, body, { 'If-Match': '"1"' });
		expect([status, headers.get('etag')]).toEqual([200, expect.stringMatching(/^"2\.[\w-]+"$/)]);
		expect(data).toEqual({
			...stored,
			...named,
			gender: 'UNKNOWN',
			address: { ...stored.address, stateCode: null },
			updatedAt: members.clock.now().toISOString(),
			version: 2,
		});
		expect(await records.storedRow(stored.id)).toMatchObject({
			firstName: 'Neu',
			nameKey: 'neu name',
			city: 'Furt',
			stateCode: null,
			version: 2,
		});
		const found = await call<{ items: Member[] }>('GET', `${path}/search?q=neu+name`, {
			token: members.officer,
		});
		expect(found.data.items.map(({ id }) => id)).toEqual([stored.id]);
	});

	test('accepts the record as it was read, and refuses a changed server-owned field', async () => {
		const stored = await records.createMember({ homeClubId: club.id });
		expect((await put(stored.id, bodyOf(stored))).status).toBe(200);
		const { status, data } = await put(
			stored.id,
			bodyOf(stored, { id: randomUUID(), status: 'ACTIVE', version: 7, deletedAt: '2026-01-01T00:00:00Z' }),
		);
		expect(status).toBe(400);
		expect(blamedFields(data)).toEqual(
			['deletedAt', 'id', 'status', 'version'].map((field) => `${field} UNKNOWN_FIELD`),
		);
		expect((await records.storedRow(stored.id))?.version).toBe(2);
	});

	test('sets the instant of a consent when it is given or withdrawn, server-side only', async () => {
		const stored = await records.createMember();
		const consents = { publishResults: { given: true }, newsletter: { given: false } };
		members.clock.advance(60_000);
		const at = members.clock.now().toISOString();
		const { data } = await put<Member>(stored.id, { ...person(), consents });
		expect(data.consents).toEqual({
			publishResults: { given: true, at },
			newsletter: { given: false, at: null },
		});
		members.clock.advance(60_000);
		const again = await put<Member>(stored.id, { ...person(), consents: data.consents });
		expect(again.data.consents).toEqual(data.consents);
		const forged = { ...data.consents, publishResults: { given: true, at: '2020-01-01T00:00:00.000Z' } };
		const refused = await put(stored.id, { ...person(), consents: forged });
		expect([refused.status, blamedFields(refused.data)]).toEqual([
			400,
			['consents.publishResults.at UNKNOWN_FIELD'],
		]);
		const withdrawn = await put<Member>(stored.id, {
			...person(),
			consents: { ...consents, publishResults: { given: false } },
		});
		expect(withdrawn.data.consents.publishResults).toEqual({
			given: false,
			at: members.clock.now().toISOString(),
		});
	});

	test('checks the same rules as creating', async () => {
		const stored = await records.createMember();
		const refusal = async (changes: object) => {
			const { status, data } = await put(stored.id, person(changes));
			return [status, data.code, ...blamedFields(data)];
		};
		expect(await refusal({ dateOfBirth: '2026-05-02' })).toEqual([
			400,
			'VALIDATION_ERROR',
			'dateOfBirth INVALID_RANGE',
		]);
		expect(await refusal({ dateOfBirth: '2010-01-01' })).toEqual([422, 'GUARDIAN_REQUIRED']);
		expect(await refusal({ nationality: 'XX', homeClubId: randomUUID() })).toEqual([
			400,
			'VALIDATION_ERROR',
			'homeClubId INVALID_REFERENCE',
			'nationality INVALID_REFERENCE',
		]);
		const other = await records.createMember({ feiId: '10203040' });
		expect(await refusal({ feiId: '10203040' })).toEqual([409, 'FEI_ID_TAKEN']);
		expect(await refusal({ membershipNumber: other.membershipNumber })).toEqual([
			409,
			'MEMBERSHIP_NUMBER_TAKEN',
		]);
		expect(await records.storedRow(stored.id)).toMatchObject({ version: 1, firstName: stored.firstName });
	});

	test('refuses a change to a possible duplicate, unless it is confirmed', async () => {
		const other = await records.createMember({ lastName: 'Doppelgänger' });
		const stored = await records.createMember();
		const body = { firstName: other.firstName, lastName: 'Doppelgaenger', dateOfBirth: other.dateOfBirth };
		const { status, data } = await put(stored.id, body);
		expect([status, data.code]).toEqual([409, 'POSSIBLE_DUPLICATE']);
		expect(data['candidates']).toMatchObject([{ id: other.id }]);
		expect((await put(stored.id, body, {}, '?confirmDuplicate=true')).status).toBe(200);
		// It stays confirmed until name or birth date change.
		expect((await put(stored.id, { ...body, title: 'Ing.' })).status).toBe(200);
	});

	test('refuses a stale If-Match, an unknown record and a deleted one', async () => {
		const stored = await records.createMember();
		const stale = await put(stored.id, person(), { 'If-Match': '"2"' });
		expect([stale.status, stale.data['currentVersion']]).toEqual([412, 1]);
		expect((await put(randomUUID(), person())).status).toBe(404);
		expect((await call('PUT', `${path}/1`, { token: members.officer, body: person() })).data.code).toBe(
			'INVALID_ID',
		);
		await call('DELETE', `${path}/${stored.id}`, { token: members.officer });
		const deleted = await put(stored.id, person());
		expect([deleted.status, deleted.data.code]).toEqual([409, 'MEMBER_INACTIVE']);
	});
});

test('a member older than a new member may be can still be changed', async () => {
	// The rule catches a slip of the keyboard; an unchanged birth date is not checked.
	const born = '1915-05-02';
	const stored = await records.createMember({ dateOfBirth: born });
	await members.db
		.updateTable('members')
		.set({ dateOfBirth: '1914-12-31' })
		.where('id', '=', stored.id)
		.execute();
	const body = bodyOf(stored, { dateOfBirth: '1914-12-31', phoneNumber: '+436601234567' });
	expect((await put(stored.id, body)).status).toBe(200);
	const other = await put(stored.id, {
		...body,
		dateOfBirth: '1914-12-30',
		version: 2,
		updatedAt: undefined,
	});
	expect([other.status, blamedFields(other.data)]).toEqual([400, ['dateOfBirth INVALID_RANGE']]);
});
