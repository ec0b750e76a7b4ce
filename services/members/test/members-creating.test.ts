import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { Club } from '../src/schemas/club.ts';
import type { Member } from '../src/schemas/member.ts';
import { type RunningMembers, runMembers } from './running-members.ts';
import { membersPath as path, person, recordsOf } from './test-records.ts';

let members: RunningMembers;
let call: RunningMembers['call'];
let officer: string;
let club: Club;
const records = recordsOf(() => members);

beforeAll(async () => {
	members = await runMembers();
	({ call, officer } = members);
	club = await records.createClub('1234');
});
afterAll(() => members.close());

function post<Data = TestFailure>(body: object, query = '') {
	return call<Data>('POST', `${path}${query}`, { token: officer, body });
}

async function refusalOf(body: object) {
	const { status, data } = await post(person(body));
	return {
		status,
		code: data.code,
		errors: data.errors?.map(({ field, code }) => `${field} ${code}`).sort(),
	};
}

describe('POST /members', () => {
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
			phone: '+43 660 1234567',
			homeClubId: club.id,
			membershipType: 'YOUTH',
			joinDate: '2020-02-29',
			feePaidForYear: 2026,
			guardian: { name: 'Maria', relationship: 'mother', phone: '+43 1 23456789' },
			emergencyContact: { name: 'Karl', phone: '+436601234567' },
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
			phone: '+436601234567',
			guardian: { ...body.guardian, phone: '+43123456789', email: null },
			emergencyContact: { ...body.emergencyContact, relationship: null },
			consents: { publishResults: { given: true, at: now }, newsletter: { given: false, at: null } },
			status: 'PENDING',
			statusReason: null,
			suspendedUntil: null,
			createdAt: now,
			updatedAt: now,
			deletedAt: null,
			version: 1,
		};
		expect(data).toEqual(expected);
		const read = await call<Member>('GET', `${path}/${data.id}`, { token: officer });
		expect(read.data).toEqual(expected);
		expect(await records.storedRow(data.id)).toMatchObject({
			last_name: 'Müller',
			name_key: 'zofienusta𝒜 muller',
			date_of_birth: '2012-02-29',
			home_club_id: club.id,
			status: 'PENDING',
			is_demo: false,
		});
	});

	test('fills what may be left out', async () => {
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
			phone: '0660 1234567',
			homeClubId: 'none',
			membershipType: 'GOLD',
			joinDate: '20200101',
			feePaidForYear: 26.5,
			guardian: { relationship: 'mother' },
			emergencyContact: { name: 'Karl', phone: null },
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
				'emergencyContact.phone INVALID_FORMAT',
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
				'phone INVALID_FORMAT',
				'status UNKNOWN_FIELD',
				'title INVALID_LENGTH',
			].sort(),
		);
		const stored = members.db.selectFrom('members').select('id').where('email', '=', 'anna@');
		expect(await stored.execute()).toEqual([]);
	});

	test('takes names of 100 characters of four bytes each', async () => {
		const firstName = '𝒜'.repeat(100);
		const { data } = await post<Member>(person({ firstName }));
		expect(data.firstName).toBe(firstName);
		const found = await call<{ items: Member[] }>('GET', `${path}/search?q=${encodeURIComponent('𝒜𝒜𝒜')}`, {
			token: officer,
		});
		expect(found.data.items.map(({ id }) => id)).toContain(data.id);
	});
});

describe('the calendar', () => {
	const guardian = { name: 'Maria', relationship: 'mother' };

	test.each([
		['today', '2026-05-01'],
		['tomorrow', '2026-05-02'],
		['111 years ago', '1915-05-01'],
		['a 29 February that never was', '2100-02-29'],
	])('refuses a birth %s', async (_when, dateOfBirth) => {
		const { status, errors } = await refusalOf({ dateOfBirth, guardian });
		expect([status, errors]).toEqual([400, [expect.stringMatching(/^dateOfBirth INVALID_(RANGE|FORMAT)$/)]]);
	});

	test.each(['2026-04-30', '1915-05-02', '2024-02-29'])('takes a birth on %s', async (dateOfBirth) => {
		const { status, data } = await post<Member>(person({ dateOfBirth, guardian, joinDate: '2026-05-01' }));
		expect([status, data.dateOfBirth]).toEqual([201, dateOfBirth]);
	});

	test('of Vienna counts: at 22:30 UTC in summer it is tomorrow there', async () => {
		members.clock.advance(12.5 * 3_600_000);
		const body = person({ dateOfBirth: '2026-05-01', guardian });
		const { status, data } = await call<Member>('POST', path, { token: members.officer, body });
		members.clock.advance(-12.5 * 3_600_000);
		expect([status, data.joinDate]).toEqual([201, '2026-05-02']);
	});

	test('refuses to join before the birth', async () => {
		const { errors } = await refusalOf({ dateOfBirth: '2000-05-01', joinDate: '2000-04-30' });
		expect(errors).toEqual(['joinDate INVALID_RANGE']);
	});

	test.each([
		['17, who is 18 tomorrow', '2008-05-02', 422],
		['18 today', '2008-05-01', 201],
	])('asks for a guardian of somebody of %s', async (_who, dateOfBirth, expected) => {
		const { status, data } = await post(person({ dateOfBirth }));
		expect([status, status === 422 ? data.code : '']).toEqual([
			expected,
			expected === 422 ? 'GUARDIAN_REQUIRED' : '',
		]);
		const withGuardian = await post(person({ dateOfBirth, guardian }));
		expect(withGuardian.status).toBe(201);
	});
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

describe('numbers', () => {
	test.each([
		['membershipNumber', '77770001', 'MEMBERSHIP_NUMBER_TAKEN'],
		['federationNumber', '777001', 'FEDERATION_NUMBER_TAKEN'],
		['feiId', '77700001', 'FEI_ID_TAKEN'],
	])('%s is given once, also after its member was deleted', async (field, value, code) => {
		const first = await records.createMember({ [field]: value });
		await call('DELETE', `${path}/${first.id}`, { token: officer });
		expect(await refusalOf({ [field]: value })).toMatchObject({ status: 409, code });
		expect((await call('GET', `${path}/search?q=${value}`, { token: officer })).data).toMatchObject({
			items: [],
		});
	});

	test('are assigned in the order of the home club’s', async () => {
		const own = await records.createClub('2222');
		const numberOf = async (changes: object = {}) =>
			(await records.createMember({ homeClubId: own.id, ...changes })).membershipNumber;
		expect([await numberOf(), await numberOf()]).toEqual(['22220001', '22220002']);
		await numberOf({ membershipNumber: '22220007' });
		expect(await numberOf()).toBe('22220008');
		await numberOf({ membershipNumber: '22229999' });
		expect([await numberOf(), await numberOf()]).toEqual(['22220003', '22220004']);
	});

	test('of those without a club are the federation’s, which no club can have', async () => {
		const { membershipNumber } = await records.createMember();
		expect(membershipNumber).toMatch(/^9000\d{4}$/);
		const { status, data } = await call('POST', `${path}/clubs`, {
			token: officer,
			body: { clubNumber: '9000', name: 'X' },
		});
		expect([status, data.code]).toEqual([409, 'CLUB_NUMBER_TAKEN']);
	});

	test('that are used up are said to be', async () => {
		const full = await records.createClub('3333');
		const { db } = members;
		const { id } = await records.createMember({ membershipNumber: '33330001' });
		const template = await records.storedRow(id);
		if (template === undefined) throw new Error('no row');
		const { suspension_ends_at: _, guardian: __, emergency_contact: ___, ...columns } = template;
		const rows = Array.from({ length: 9_998 }, (_row, index) => {
			const { id: ____, ...row } = columns;
			return { ...row, membership_number: `3333${String(index + 2).padStart(4, '0')}` };
		});
		for (let from = 0; from < rows.length; from += 1_000)
			await db
				.insertInto('members')
				.values(rows.slice(from, from + 1_000))
				.execute();
		const { status, code } = await refusalOf({ homeClubId: full.id });
		expect([status, code]).toEqual([409, 'MEMBERSHIP_NUMBERS_USED_UP']);
	});
});

describe('a possible duplicate', () => {
	test.each([
		['the same', 'Jörg', 'Groß'],
		['without dots', 'Jorg', 'Gross'],
		['written out', 'Joerg', 'GROSS'],
		['with other marks', 'jo\u0308rg', 'Gróß'],
	])('is refused and shown: %s', async (how, firstName, lastName) => {
		const dateOfBirth = `1980-01-${10 + how.length}`;
		const first = await records.createMember({ firstName: 'Jörg', lastName: 'Groß', dateOfBirth });
		const body = person({ firstName, lastName, dateOfBirth });
		const { status, data } = await post(body);
		expect([status, data.code]).toEqual([409, 'POSSIBLE_DUPLICATE']);
		expect(data['candidates']).toEqual([
			{
				id: first.id,
				membershipNumber: first.membershipNumber,
				firstName: 'Jörg',
				lastName: 'Groß',
				homeClubId: null,
			},
		]);
		expect((await post(body, '?confirmDuplicate=true')).status).toBe(201);
	});

	test('is none with another birth date or name', async () => {
		const one = person({ firstName: 'Ida', lastName: 'Zwilling', dateOfBirth: '1985-05-05' });
		expect((await post(one)).status).toBe(201);
		expect((await post({ ...one, firstName: 'Ada' })).status).toBe(201);
		expect((await post({ ...one, dateOfBirth: '1985-05-06' })).status).toBe(201);
	});

	test('is told to an official without telling who it is elsewhere', async () => {
		const own = await records.createClub('4321');
		const secret = await records.createMember({ homeClubId: club.id, lastName: 'Geheim' });
		const { firstName, lastName, dateOfBirth } = secret;
		const { status, data, text } = await call('POST', path, {
			token: members.officialOf(own.id),
			body: { firstName, lastName, dateOfBirth, homeClubId: own.id },
		});
		expect([status, data['candidates'], data['otherCandidates']]).toEqual([409, [], 1]);
		expect(text).not.toContain(secret.membershipNumber);
	});
});
