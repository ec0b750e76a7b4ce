import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { eventually, waitingForLocks } from '@paddock/testing';
import { sql } from 'kysely';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member } from '../src/members/schemas.ts';
import type { MemberStats } from '../src/members/stats.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, recordsOf } from './test-records.ts';

const members = useMembers();
const { call } = members;
let club: Club;
const records = recordsOf(() => members);

beforeAll(async () => {
	club = await records.createClub('1234');
});

test('a response to the office is never confirmed to another user of the same browser', async () => {
	// One version has several views; with one tag for all of them a 304 would show the cached notes.
	const { id } = await records.activeMember({ homeClubId: club.id, notes: 'nur intern' });
	const read = (token: string, tag?: string) =>
		call<Member>('GET', `${path}/${id}`, {
			token,
			headers: tag === undefined ? {} : { 'If-None-Match': tag },
		});
	const tag = (await read(members.officer)).headers.get('etag') ?? '';
	expect((await read(members.officer, tag)).status).toBe(304);
	for (const token of [members.officialOf(club.id), members.memberIs(id)]) {
		const { status, data, headers } = await read(token, tag);
		expect([status, 'notes' in data]).toEqual([200, false]);
		expect((await read(token, headers.get('etag') ?? '')).status).toBe(304);
	}
	const condition = { 'If-Match': tag };
	const step = await call('POST', `${path}/${id}/suspend`, {
		token: members.officer,
		headers: condition,
		body: { reason: 'x' },
	});
	expect(step.status).toBe(200);
	const stale = await call('DELETE', `${path}/${id}`, { token: members.officer, headers: condition });
	expect(stale.status).toBe(412);
});

test.each([null, 'x', 'nur intern'])('sending notes %j does not disclose the stored ones', async (notes) => {
	// Equal fields are accepted; for a hidden one this would confirm a guess.
	for (const stored of [null, 'nur intern']) {
		const { id, firstName, lastName, dateOfBirth } = await records.activeMember({
			homeClubId: club.id,
			notes: stored,
		});
		const body = { firstName, lastName, dateOfBirth, homeClubId: club.id, notes };
		for (const token of [members.officialOf(club.id), members.memberIs(id)]) {
			const { status, data } = await call('PUT', `${path}/${id}`, { token, body });
			expect([status, data.code, data.errors?.map(({ field }) => field)]).toEqual([
				403,
				'FORBIDDEN',
				['notes'],
			]);
		}
		expect((await records.storedRow(id))?.notes).toBe(stored);
	}
});

test('statistics of an official leave out the own record where that is another club’s', async () => {
	const foreign = await records.createClub('5678');
	const { id } = await records.activeMember({ homeClubId: foreign.id });
	const empty = await records.createClub('8765');
	const token = members.sign({
		roles: ['CLUB_OFFICIAL'],
		roleScopes: { CLUB_OFFICIAL: { clubIds: [empty.id] } },
		memberId: id,
	});
	const { data } = await call<MemberStats>('GET', `${path}/stats`, { token });
	expect(data).toMatchObject({ total: 0, byState: [], minors: 0 });
	const list = await call<Page<Member>>('GET', path, { token });
	expect(list.data.items.map((each) => each.id)).toEqual([id]);
});

test('a hit that is deleted before it is read is omitted, and the others are returned', async () => {
	// A page is selected before its rows are read; a deletion in between made the response a 404.
	const kept = await records.activeMember({ homeClubId: club.id, lastName: 'Wettlauf' });
	const gone = await records.activeMember({ homeClubId: club.id, lastName: 'Wettlauf' });
	const token = members.officialOf(club.id);
	const { db } = members;
	const searched = await inTransaction(db, async (transaction) => {
		await sql`lock table members in access exclusive mode`.execute(transaction);
		const search = call<Page<Member>>('GET', `${path}/search?q=wettlauf`, { token });
		// The selection reads another table and does not wait; the reading waits for this transaction.
		await eventually('the reading waits', async () => (await waitingForLocks(transaction)) === 1);
		const now = members.clock.now();
		await transaction.updateTable('members').set({ deletedAt: now }).where('id', '=', gone.id).execute();
		await transaction.updateTable('memberSearch').set({ deletedAt: now }).where('id', '=', gone.id).execute();
		return { search };
	});
	const { status, data } = await searched.search;
	expect(status).toBe(200);
	expect(data.items.map(({ id }) => id)).toEqual([kept.id]);
});
