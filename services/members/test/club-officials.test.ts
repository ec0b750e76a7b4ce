import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { Club } from '../src/schemas/club.ts';
import type { Member } from '../src/schemas/member.ts';
import { blamedFields } from './federation-office.ts';
import { type RunningMembers, runMembers } from './running-members.ts';
import { membersPath as path, person, recordsOf } from './test-records.ts';

let members: RunningMembers;
let call: RunningMembers['call'];
let club: Club;
let foreign: Club;
const records = recordsOf(() => members);

beforeAll(async () => {
	members = await runMembers();
	({ call } = members);
	club = await records.createClub('1234');
	foreign = await records.createClub('5678');
});
afterAll(() => members.close());

function put<Data = TestFailure>(id: string, body: object, token: string) {
	return call<Data>('PUT', `${path}/${id}`, { token, body });
}

describe('PUT and POST by an official', () => {
	test('write the own club’s members but for number and notes', async () => {
		const official = members.officialOf(club.id);
		const created = await call<Member>('POST', path, {
			token: official,
			body: person({ homeClubId: club.id, feePaidForYear: 2026 }),
		});
		expect([created.status, 'notes' in created.data, created.data.statusReason]).toEqual([201, false, null]);
		await records.step(created.data, 'approve');
		const changed = await put<Member>(
			created.data.id,
			{ ...person(), homeClubId: club.id, feePaidForYear: 2025 },
			official,
		);
		expect([changed.status, changed.data.feePaidForYear]).toEqual([200, 2025]);
		const refused = await put(
			created.data.id,
			{ ...person(), homeClubId: club.id, notes: 'x', membershipNumber: '12349998' },
			official,
		);
		expect([refused.status, blamedFields(refused.data)]).toEqual([
			403,
			['membershipNumber UNKNOWN_FIELD', 'notes UNKNOWN_FIELD'],
		]);
		const numbered = await call('POST', path, {
			token: official,
			body: person({ homeClubId: club.id, membershipNumber: '12349999', notes: 'x' }),
		});
		expect([numbered.status, blamedFields(numbered.data)]).toEqual([
			403,
			['membershipNumber UNKNOWN_FIELD', 'notes UNKNOWN_FIELD'],
		]);
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
		expect((await records.storedRow(own.id))?.home_club_id).toBe(club.id);
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
		expect((await put(own.id, { ...names, phone: '+4312345678' }, token)).status).toBe(200);
		expect((await put(own.id, { ...names, title: 'Dr.' }, token)).data.code).toBe('FORBIDDEN');
	});
});
