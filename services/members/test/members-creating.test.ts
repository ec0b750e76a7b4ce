import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member } from '../src/members/schemas.ts';
import { officeOf } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, person, recordsOf } from './test-records.ts';

const members = useMembers();
let club: Club;
const records = recordsOf(() => members);
const { post, read, refusalOf } = officeOf(() => members);

beforeAll(async () => {
	club = await records.createClub('1234');
});

async function search(q: string): Promise<Member[]> {
	const found = await members.call<{ items: Member[] }>('GET', `${path}/search?q=${encodeURIComponent(q)}`, {
		token: members.officer,
	});
	return found.data.items;
}

describe('POST /members', () => {
	test.each([
		['membershipNumber', '1234 0-077', '12340077'],
		['federationNumber', "'000.777", '000777'],
		['feiId', '1007\u00a0777/7', '10077777'],
	])('takes %s as people write it: %j', async (field, written, stored) => {
		const { data } = await post<Member>(person({ lastName: field, [field]: written }));
		expect(data).toMatchObject({ [field]: stored });
	});

	test.each([[''], [null], [undefined]])(
		'a person with one name has a last name only: %j',
		async (firstName) => {
			const lastName = `Sukarno${String(firstName)}`;
			const { status, data } = await post<Member>(person({ firstName, lastName }));
			expect([status, data.firstName, data.lastName]).toEqual([201, '', lastName]);
			const found = await search(lastName);
			expect(found.map(({ id }) => id)).toEqual([data.id]);
			const { errors } = await refusalOf({ firstName: 'Sukarno', lastName: '' });
			expect(errors).toEqual(['lastName INVALID_LENGTH']);
		},
	);

	test('creates, says where, and shows and stores everything', async () => {
		const body = {
			membershipNumber: '12340042',
			federationNumber: '000123',
			feiId: '00012345',
			title: 'Dr.',
			firstName: '  Žofie-Ñusta 𝒜 ',
			lastName: `Mu\u0308ller`,
			dateOfBirth: '2012-02-29',
			gender: 'DIVERSE',
			nationality: 'DE',
			address: {
				street: null,
				postalCode: '0999',
				city: 'Furt',
				countryCode: 'AT',
				stateCode: 'AT-3',
			},
			email: 'Anna@Example.ORG',
			phoneNumber: '+43 (0)660/123 45 67',
			homeClubId: club.id,
			membershipType: 'YOUTH',
			joinDate: '2020-02-29',
			feePaidForYear: 2026,
			guardian: { name: 'Maria', relationship: 'mother', phoneNumber: '01/23 45 67 89' },
			emergencyContact: { name: 'Karl', phoneNumber: '+436601234567' },
			consents: { publishResults: { given: true }, newsletter: { given: false } },
			notes: 'Erste Zeile\nzweite',
		};
		const { status, data, headers } = await post<Member>(body);
		expect(status).toBe(201);
		expect(headers.get('location')).toBe(`${path}/${data.id}`);
		expect(headers.get('etag')).toMatch(/^"1\.[\w-]+"$/);
		const now = members.clock.now().toISOString();
		const expected = {
			...body,
			id: data.id,
			firstName: 'Žofie-Ñusta 𝒜',
			lastName: 'Müller',
			email: 'anna@example.org',
			phoneNumber: '+436601234567',
			phone: '+436601234567',
			guardian: {
				...body.guardian,
				phoneNumber: '+43123456789',
				phone: '+43123456789',
				email: null,
				memberId: null,
			},
			emergencyContact: { ...body.emergencyContact, phone: '+436601234567', relationship: null },
			consents: { publishResults: { given: true, at: now }, newsletter: { given: false, at: null } },
			duplicateSuspected: false,
			status: 'PENDING',
			statusReason: null,
			suspendedUntil: null,
			createdAt: now,
			updatedAt: now,
			deletedAt: null,
			version: 1,
		};
		expect(data).toEqual(expected);
		expect(await read(data.id)).toEqual(expected);
		expect(await records.storedRow(data.id)).toMatchObject({
			lastName: 'Müller',
			nameKey: 'zofienustaa muller',
			dateOfBirth: '2012-02-29',
			homeClubId: club.id,
			status: 'PENDING',
			isDemo: false,
		});
	});

	test('fills omitted fields with their defaults', async () => {
		const { data } = await post<Member>(person());
		expect(data).toMatchObject({
			federationNumber: null,
			gender: 'UNKNOWN',
			nationality: 'AT',
			address: null,
			homeClubId: null,
			membershipType: 'FULL',
			joinDate: '2026-05-01',
			guardian: null,
			consents: { publishResults: { given: false, at: null }, newsletter: { given: false, at: null } },
			notes: null,
		});
	});

	test('reports all bad fields at once and stores nothing', async () => {
		const body = person({
			membershipNumber: '01234567',
			federationNumber: '12345',
			feiId: 'abc',
			title: '',
			firstName: 'Zeile\nZwei',
			lastName: 'x'.repeat(101),
			dateOfBirth: '2023-02-29',
			gender: 'X',
			nationality: 'Austria',
			address: { city: '', stateCode: 'DE-BY', countryCode: 'AT', planet: 'Earth' },
			email: 'anna@',
			phoneNumber: '0660',
			homeClubId: 'none',
			membershipType: 'GOLD',
			joinDate: '20200101',
			feePaidForYear: 26.5,
			guardian: { relationship: 'mother' },
			emergencyContact: { name: 'Karl', phoneNumber: null },
			consents: { publishResults: { given: 'yes' } },
			notes: 'x'.repeat(5_001),
			isDemo: true,
			status: 'ACTIVE',
		});
		const { status, code, errors } = await refusalOf(body);
		expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(errors).toEqual(
			[
				'address.city INVALID_LENGTH',
				'address.planet UNKNOWN_FIELD',
				'address.stateCode INVALID_REFERENCE',
				'consents.newsletter REQUIRED',
				'consents.publishResults.given INVALID_FORMAT',
				'dateOfBirth INVALID_FORMAT',
				'email INVALID_FORMAT',
				'emergencyContact.phoneNumber INVALID_FORMAT',
				'feePaidForYear INVALID_FORMAT',
				'feiId INVALID_FORMAT',
				'federationNumber INVALID_FORMAT',
				'firstName INVALID_FORMAT',
				'gender INVALID_FORMAT',
				'guardian.name REQUIRED',
				'homeClubId INVALID_FORMAT',
				'isDemo UNKNOWN_FIELD',
				'joinDate INVALID_FORMAT',
				'lastName INVALID_LENGTH',
				'membershipNumber INVALID_FORMAT',
				'membershipType INVALID_FORMAT',
				'nationality INVALID_FORMAT',
				'notes INVALID_LENGTH',
				'phoneNumber INVALID_FORMAT',
				'status UNKNOWN_FIELD',
				'title INVALID_LENGTH',
			].sort(),
		);
		const stored = members.db.selectFrom('members').select('id').where('email', '=', 'anna@');
		expect(await stored.execute()).toEqual([]);
	});

	test('accepts names of 100 characters of four bytes each', async () => {
		const firstName = '𝒜'.repeat(100);
		const { data } = await post<Member>(person({ firstName }));
		expect(data.firstName).toBe(firstName);
		const found = await members.call<{ items: Member[] }>(
			'GET',
			`${path}/search?q=${encodeURIComponent('𝒜𝒜𝒜')}`,
			{
				token: members.officer,
			},
		);
		expect(found.data.items.map(({ id }) => id)).toContain(data.id);
	});
});

test('members with the longest names are stored, and read through by cursor', async () => {
	// Each of these characters is a word or two when it is folded.
	const name = '\ufdfa\u3316\u3315\u3336\ufdfb'.repeat(20);
	const mixed = Array.from({ length: 100 }, (_, at) => String.fromCodePoint(0x3300 + ((at * 37) % 88))).join(
		'',
	);
	for (const lastName of [name, mixed, [...mixed].reverse().join('')])
		expect((await post<Member>(person({ firstName: name, lastName }))).status).toBe(201);
	const names: string[] = [];
	let cursor: string | null = '';
	while (cursor !== null) {
		const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
		const { status, data } = await members.call<Page<Member>>('GET', `${path}?status=PENDING&size=1${next}`, {
			token: members.officer,
		});
		expect(status).toBe(200);
		names.push(...data.items.map(({ lastName }) => lastName));
		cursor = data.pagination.nextCursor;
	}
	expect(names).toEqual(expect.arrayContaining([name, mixed]));
});

describe('references', () => {
	test('that lead nowhere are all named', async () => {
		const { errors } = await refusalOf({
			nationality: 'XX',
			address: { city: 'X', countryCode: 'XY', stateCode: 'XY-1' },
			homeClubId: '00000000-0000-4000-8000-000000000000',
			dateOfBirth: '2026-05-02',
		});
		expect(errors).toEqual([
			'address.countryCode INVALID_REFERENCE',
			'address.stateCode INVALID_REFERENCE',
			'dateOfBirth INVALID_RANGE',
			'homeClubId INVALID_REFERENCE',
			'nationality INVALID_REFERENCE',
		]);
	});

	test('to a club out of use are refused', async () => {
		const closed = await records.createClub('1235', { status: 'INACTIVE' });
		expect((await refusalOf({ homeClubId: closed.id })).errors).toEqual(['homeClubId INVALID_REFERENCE']);
	});
});
