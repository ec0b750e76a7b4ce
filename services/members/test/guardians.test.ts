import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { TestFailure } from '@paddock/testing';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member } from '../src/members/schemas.ts';
import { blamedFields, officeOf } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { bodyOf, membersPath as path, person, recordsOf } from './test-records.ts';

const members = useMembers();
let club: Club;
const records = recordsOf(() => members);
const office = officeOf(() => members);

// 18 on 2 May 2026; the test's clock begins on 1 May.
const almostOfAge = '2008-05-02';

beforeAll(async () => {
	club = await records.createClub('1234');
});

function guardedBy(memberId: string | null) {
	return { name: 'Maria', relationship: 'mother', memberId };
}

/** A minor of the club and the guardian, who belongs to no club. */
async function family(dateOfBirth = '2014-01-01'): Promise<{ minor: Member; guardian: Member }> {
	const guardian = await records.activeMember();
	const minor = await records.activeMember({
		dateOfBirth,
		homeClubId: club.id,
		guardian: guardedBy(guardian.id),
		notes: 'n',
	});
	return { minor, guardian };
}

function put<Data = TestFailure>(id: string, body: object, token: string) {
	return members.call<Data>('PUT', `${path}/${id}`, { token, body });
}

function read(id: string, token: string) {
	return members.call<Member>('GET', `${path}/${id}`, { token });
}

describe('the guardian’s own record', () => {
	test('is set and shown by the office and by an official of the club', async () => {
		const { minor, guardian } = await family();
		expect(minor.guardian).toEqual({
			...guardedBy(guardian.id),
			phoneNumber: null,
			phone: null,
			email: null,
		});
		expect((await records.storedRow(minor.id))?.guardianMemberId).toBe(guardian.id);
		const official = members.officialOf(club.id);
		const other = await records.createMember();
		const pending = await records.createMember({
			dateOfBirth: '2014-01-01',
			homeClubId: club.id,
			guardian: guardedBy(guardian.id),
		});
		const shown = (await read(pending.id, official)).data;
		const changed = await put<Member>(pending.id, { ...shown, guardian: guardedBy(other.id) }, official);
		expect([changed.status, changed.data.guardian?.memberId]).toEqual([200, other.id]);
		const removed = await put<Member>(pending.id, { ...changed.data, guardian: guardedBy(null) }, official);
		expect([removed.status, removed.data.guardian?.memberId]).toEqual([200, null]);
	});

	// An official could appoint herself guardian of a minor of her club, and then write consents.
	test('is never the official’s own record, in a new member or in a change', async () => {
		const official = await records.activeMember({ homeClubId: club.id });
		const token = members.sign({
			roles: ['MEMBER', 'CLUB_OFFICIAL'],
			roleScopes: { CLUB_OFFICIAL: { clubIds: [club.id] } },
			memberId: official.id,
		});
		const guardian = guardedBy(official.id);
		const body = person({ dateOfBirth: '2014-01-01', homeClubId: club.id, guardian });
		const created = await members.call('POST', path, { token, body });
		const minor = await records.activeMember({
			dateOfBirth: '2014-01-01',
			homeClubId: club.id,
			guardian: guardedBy(null),
		});
		const shown = (await read(minor.id, token)).data;
		const changed = await put(minor.id, { ...shown, guardian }, token);
		for (const { status, data } of [created, changed]) {
			expect([status, blamedFields(data)]).toEqual([400, ['guardian.memberId INVALID_REFERENCE']]);
			expect(data.errors?.[0]?.message).toBe('must be the id of another member, of full age');
		}
		expect((await records.storedRow(minor.id))?.guardianMemberId).toBeNull();
		const byOffice = await office.put(minor.id, bodyOf(await office.read(minor.id), { guardian }));
		expect(byOffice.status).toBe(200);
	});

	test('of an approved member is replaced or removed by the office only', async () => {
		const { minor, guardian } = await family();
		const other = await records.activeMember();
		const token = members.officialOf(club.id);
		const { guardian: _, ...shown } = (await read(minor.id, token)).data;
		for (const changed of [guardedBy(other.id), guardedBy(null), null]) {
			const { status, data } = await put(minor.id, { ...shown, guardian: changed }, token);
			expect([status, blamedFields(data)]).toEqual([403, ['guardian.memberId UNKNOWN_FIELD']]);
		}
		const left = await put<Member>(minor.id, shown, token);
		expect([left.status, left.data.guardian]).toEqual([200, minor.guardian]);
		const renamed = { ...guardedBy(guardian.id), relationship: 'aunt' };
		const { status, data } = await put<Member>(minor.id, { ...left.data, guardian: renamed }, token);
		expect([status, data.guardian?.relationship]).toEqual([200, 'aunt']);
	});

	test('must be that of another member of full age, with one message for every reason', async () => {
		const { minor } = await family();
		const deleted = await records.activeMember();
		await office.remove(deleted);
		const messages = new Set<string>();
		for (const memberId of [randomUUID(), deleted.id, minor.id]) {
			const body = person({ dateOfBirth: '2014-01-01', homeClubId: club.id, guardian: guardedBy(memberId) });
			const token = members.officialOf(club.id);
			const created = await members.call('POST', path, { token, body });
			const changed = await put(
				minor.id,
				bodyOf(await office.read(minor.id), { guardian: guardedBy(memberId) }),
				members.officer,
			);
			for (const { status, data } of [created, changed]) {
				expect([status, blamedFields(data)]).toEqual([400, ['guardian.memberId INVALID_REFERENCE']]);
				messages.add(data.errors?.[0]?.message ?? '');
			}
		}
		expect(messages.size).toBe(1);
	});

	test('must not be the member’s own, although the member is of full age', async () => {
		const { id } = await records.activeMember();
		const stored = await office.read(id);
		const { status, data } = await office.put(id, bodyOf(stored, { guardian: guardedBy(id) }));
		expect([status, blamedFields(data)]).toEqual([400, ['guardian.memberId INVALID_REFERENCE']]);
	});

	test('is not the member’s or the guardian’s to change', async () => {
		const { minor, guardian } = await family();
		const other = await records.activeMember();
		for (const token of [members.memberIs(minor.id), members.memberIs(guardian.id)]) {
			const shown = (await read(minor.id, token)).data;
			for (const changed of [guardedBy(other.id), guardedBy(null), null]) {
				const { status, data } = await put(minor.id, { ...shown, guardian: changed }, token);
				expect([status, blamedFields(data)]).toEqual([403, ['guardian UNKNOWN_FIELD']]);
			}
		}
		expect((await records.storedRow(minor.id))?.guardianMemberId).toBe(guardian.id);
	});

	test('stays when the guardian has been deleted, and a change of other fields is accepted', async () => {
		const { minor, guardian } = await family();
		await office.remove(guardian);
		const { status } = await office.put(minor.id, bodyOf(await office.read(minor.id), { title: 'Dr.' }));
		expect(status).toBe(200);
	});
});

describe('a guardian', () => {
	test('reads the record of a member under 18 and finds it in lists and searches', async () => {
		const { minor, guardian } = await family();
		const stranger = await records.activeMember({ homeClubId: club.id });
		const token = members.memberIs(guardian.id);
		const { status, data } = await read(minor.id, token);
		expect([status, data.id, 'notes' in data, 'statusReason' in data]).toEqual([200, minor.id, false, false]);
		for (const query of ['', `/search?q=${encodeURIComponent('prüfling')}`]) {
			const page = await members.call<Page<Member>>('GET', `${path}${query}`, { token });
			expect(page.data.items.map(({ id }) => id).sort()).toEqual([minor.id, guardian.id].sort());
			expect(page.data.pagination.totalElements).toBe(2);
		}
		expect((await read(stranger.id, token)).status).toBe(404);
		// The other direction grants no right.
		expect((await read(guardian.id, members.memberIs(minor.id))).status).toBe(404);
	});

	test('edits contact data and consents as the member would, and nothing else', async () => {
		const { minor, guardian } = await family();
		const token = members.memberIs(guardian.id);
		const shown = (await read(minor.id, token)).data;
		const consents = { publishResults: { given: true }, newsletter: { given: false } };
		const edited = await put<Member>(minor.id, { ...shown, phoneNumber: '+4312345678', consents }, token);
		expect([edited.status, edited.data.phoneNumber, edited.data.consents.publishResults.given]).toEqual([
			200,
			'+4312345678',
			true,
		]);
		expect(await records.storedRow(minor.id)).toMatchObject({
			phone: '+4312345678',
			publishResultsGiven: true,
		});
		const refused = await put(minor.id, { ...edited.data, title: 'Dr.', homeClubId: null }, token);
		expect([refused.status, blamedFields(refused.data)]).toEqual([
			403,
			['homeClubId UNKNOWN_FIELD', 'title UNKNOWN_FIELD'],
		]);
	});

	test('has no rights from the 18th birthday on', async () => {
		const { minor, guardian } = await family(almostOfAge);
		expect((await read(minor.id, members.memberIs(guardian.id))).status).toBe(200);
		members.clock.advance(24 * 3_600_000);
		const token = members.memberIs(guardian.id);
		expect((await read(minor.id, token)).status).toBe(404);
		expect((await put(minor.id, person({ phoneNumber: '+4312345678' }), token)).status).toBe(404);
		const list = await members.call<Page<Member>>('GET', path, { token });
		expect(list.data.items.map(({ id }) => id)).toEqual([guardian.id]);
	});

	test('has no rights once deleted', async () => {
		const { minor, guardian } = await family();
		await office.remove(guardian);
		const token = members.memberIs(guardian.id);
		expect((await read(minor.id, token)).status).toBe(404);
		expect((await members.call<Page<Member>>('GET', path, { token })).data.items).toEqual([]);
	});
});

describe('the lookup for other services', () => {
	async function lookUp(id: string) {
		const token = members.signService(['members:lookup']);
		const to = `/internal/members/lookup?ids=${id}`;
		const { data } = await members.call<{ items: Record<string, unknown>[] }>('GET', to, { token });
		return [data.items[0]?.['guardianMemberId'], data.items[0]?.['publishResults']];
	}

	test('names the guardian of a member under 18, and whether results may be published', async () => {
		const consents = { publishResults: { given: true }, newsletter: { given: false } };
		const { minor, guardian } = await family();
		expect(await lookUp(minor.id)).toEqual([guardian.id, false]);
		await office.put(minor.id, bodyOf(await office.read(minor.id), { consents }));
		expect(await lookUp(minor.id)).toEqual([guardian.id, true]);
		await office.remove(guardian);
		expect(await lookUp(minor.id)).toEqual([null, true]);
	});

	test('names no guardian of a grown-up', async () => {
		const guardian = await records.activeMember();
		const grownUp = await records.activeMember({ guardian: guardedBy(guardian.id) });
		expect(await lookUp(grownUp.id)).toEqual([null, false]);
	});
});
