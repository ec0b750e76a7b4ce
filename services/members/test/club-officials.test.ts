import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member } from '../src/members/schemas.ts';
import { blamedFields } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, person, recordsOf } from './test-records.ts';

const members = useMembers();
const { call } = members;
let club: Club;
let foreign: Club;
const records = recordsOf(() => members);

beforeAll(async () => {
	club = await records.createClub('1234');
	foreign = await records.createClub('5678');
});

function put<Data = TestFailure>(id: string, body: object, token: string) {
	return call<Data>('PUT', `${path}/${id}`, { token, body });
}

describe('PUT and POST by an official', () => {
	test('write the own club’s members, except the office’s fields and consents', async () => {
		const official = members.officialOf(club.id);
		const created = await call<Member>('POST', path, {
			token: official,
			body: person({ homeClubId: club.id, title: 'Ing.' }),
		});
		expect([created.status, 'notes' in created.data, created.data.statusReason]).toEqual([201, false, null]);
		await records.step(created.data, 'approve');
		const changed = await put<Member>(
			created.data.id,
			{ ...person(), homeClubId: club.id, title: 'Dr.' },
			official,
		);
		expect([changed.status, changed.data.title]).toEqual([200, 'Dr.']);
	});

	// Officials wrote fees, birth dates, numbers and consents of their members.
	const officeOnly = {
		membershipNumber: '12349998',
		federationNumber: '123456',
		feiId: '12345678',
		feePaidForYear: 2026,
		consents: { publishResults: { given: true }, newsletter: { given: false } },
		notes: 'x',
	};
	const blamed = (fields: object) =>
		Object.keys(fields)
			.map((field) => `${field} UNKNOWN_FIELD`)
			.sort();

	test('do not write fee, numbers, notes, consents, and the birth date after approval', async () => {
		const official = members.officialOf(club.id);
		const created = await call('POST', path, {
			token: official,
			body: person({ homeClubId: club.id, ...officeOnly }),
		});
		expect([created.status, blamedFields(created.data)]).toEqual([403, blamed(officeOnly)]);
		const stored = await records.createMember({ homeClubId: club.id });
		const body = { ...person(), homeClubId: club.id };
		const pending = await put(stored.id, { ...body, ...officeOnly, dateOfBirth: '1990-03-05' }, official);
		expect([pending.status, blamedFields(pending.data)]).toEqual([403, blamed(officeOnly)]);
		expect((await put(stored.id, { ...body, dateOfBirth: '1990-03-05' }, official)).status).toBe(200);
		await records.step(stored, 'approve');
		const changes = { ...officeOnly, dateOfBirth: '1990-03-06' };
		const approved = await put(stored.id, { ...body, ...changes }, official);
		expect([approved.status, blamedFields(approved.data)]).toEqual([403, blamed(changes)]);
		expect(await records.storedRow(stored.id)).toMatchObject({
			dateOfBirth: '1990-03-05',
			federationNumber: null,
			feiId: null,
			feePaidForYear: null,
			publishResultsGiven: false,
			notes: null,
		});
	});

	test('may send these fields as they are', async () => {
		const official = members.officialOf(club.id);
		const noConsents = { publishResults: { given: false }, newsletter: { given: false } };
		const unset = { feePaidForYear: null, feiId: null, federationNumber: null, consents: noConsents };
		const body = person({ homeClubId: club.id, ...unset });
		expect((await call('POST', path, { token: official, body })).status).toBe(201);
		const { notes: _, membershipNumber: __, ...others } = officeOnly;
		const stored = await records.activeMember({ homeClubId: club.id, ...others });
		const shown = await call<Member>('GET', `${path}/${stored.id}`, { token: official });
		const again = await put<Member>(stored.id, shown.data, official);
		expect([again.status, again.data.consents]).toEqual([200, stored.consents]);
		const { consents } = officeOnly;
		const withoutInstants = await put<Member>(stored.id, { ...again.data, consents }, official);
		expect([withoutInstants.status, withoutInstants.data.consents]).toEqual([200, stored.consents]);
	});

	test('write the own consents where the own record belongs to their club', async () => {
		const own = await records.activeMember({ homeClubId: club.id });
		const token = members.sign({
			roles: ['MEMBER', 'CLUB_OFFICIAL'],
			roleScopes: { CLUB_OFFICIAL: { clubIds: [club.id] } },
			memberId: own.id,
		});
		const shown = (await call<Member>('GET', `${path}/${own.id}`, { token })).data;
		const { consents } = officeOnly;
		const changed = await put<Member>(own.id, { ...shown, consents, title: 'Dr.' }, token);
		expect([changed.status, changed.data.consents.publishResults.given, changed.data.title]).toEqual([
			200,
			true,
			'Dr.',
		]);
		const fee = await put(own.id, { ...changed.data, feePaidForYear: 2026 }, token);
		expect([fee.status, blamedFields(fee.data)]).toEqual([403, ['feePaidForYear UNKNOWN_FIELD']]);
	});

	test('cannot move anybody into a foreign club or out of the own one, nor touch foreign members', async () => {
		const official = members.officialOf(club.id);
		const own = await records.createMember({ homeClubId: club.id });
		const theirs = await records.createMember({ homeClubId: foreign.id });
		const codeOf = async (sent: Promise<{ status: number; data: TestFailure }>) => {
			const { status, data } = await sent;
			return [status, data.code];
		};
		for (const homeClubId of [foreign.id, null]) {
			expect(await codeOf(put(own.id, person({ homeClubId }), official))).toEqual([403, 'OUT_OF_SCOPE']);
			expect(await codeOf(call('POST', path, { token: official, body: person({ homeClubId }) }))).toEqual([
				403,
				'OUT_OF_SCOPE',
			]);
		}
		expect(await codeOf(put(theirs.id, person({ homeClubId: club.id }), official))).toEqual([
			404,
			'NOT_FOUND',
		]);
		expect((await records.storedRow(own.id))?.homeClubId).toBe(club.id);
	});

	test('of several clubs may move members between them; one of none can do nothing', async () => {
		const own = await records.createMember({ homeClubId: club.id });
		const both = members.officialOf(club.id, foreign.id);
		const moved = await put<Member>(own.id, person({ homeClubId: foreign.id }), both);
		expect([moved.status, moved.data.homeClubId]).toEqual([200, foreign.id]);
		const none = members.sign({ roles: ['CLUB_OFFICIAL'] });
		expect((await put(own.id, person({ homeClubId: foreign.id }), none)).status).toBe(404);
		const created = await call('POST', path, { token: none, body: person({ homeClubId: club.id }) });
		expect(created.data.code).toBe('OUT_OF_SCOPE');
	});

	test('is a member in a foreign club, where only the own contact data is the official’s', async () => {
		const own = await records.activeMember({ homeClubId: foreign.id });
		const token = members.sign({
			roles: ['MEMBER', 'CLUB_OFFICIAL'],
			roleScopes: { CLUB_OFFICIAL: { clubIds: [club.id] } },
			memberId: own.id,
		});
		const { firstName, lastName, dateOfBirth } = own;
		const names = { firstName, lastName, dateOfBirth };
		expect((await put(own.id, { ...names, phoneNumber: '+4312345678' }, token)).status).toBe(200);
		expect((await put(own.id, { ...names, title: 'Dr.' }, token)).data.code).toBe('FORBIDDEN');
	});
});
