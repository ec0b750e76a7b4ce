import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { inTransaction } from '@paddock/database';
import { eventually, waitingForLocks } from '@paddock/testing';
import { sql } from 'kysely';
import type { Member } from '../src/members/schemas.ts';
import { useMembers } from './running-members.ts';
import { bodyOf, membersPath as path, person, recordsOf } from './test-records.ts';

const members = useMembers();
const { call } = members;
const records = recordsOf(() => members);
const fifty = Array.from({ length: 50 }, (_, index) => index);

function countOf(statuses: readonly number[]): Record<number, number> {
	const groups = Map.groupBy(statuses, (status) => status);
	return Object.fromEntries([...groups].map(([status, all]) => [status, all.length]));
}

test('one of 50 PUTs with the same If-Match succeeds, and after reading again each of the others: no change is lost', async () => {
	const { id } = await records.createMember();
	const write = async (index: number): Promise<number> => {
		for (let tries = 1; ; tries += 1) {
			const { data, headers } = await call<Member>('GET', `${path}/${id}`, { token: members.officer });
			const { status } = await call('PUT', `${path}/${id}`, {
				token: members.officer,
				headers: { 'If-Match': headers.get('etag') ?? '' },
				body: bodyOf(data, { notes: `${data.notes ?? ''} ${index}` }),
			});
			if (status === 200) return tries;
			expect(status).toBe(412);
		}
	};
	const first = await call<Member>('GET', `${path}/${id}`, { token: members.officer });
	const race = await Promise.all(
		fifty.map((index) =>
			call('PUT', `${path}/${id}`, {
				token: members.officer,
				headers: { 'If-Match': '"1"' },
				body: bodyOf(first.data, { title: `T${index}` }),
			}),
		),
	);
	expect(countOf(race.map(({ status }) => status))).toEqual({ 200: 1, 412: 49 });
	await Promise.all(fifty.slice(0, 20).map(write));
	const { data } = await call<Member>('GET', `${path}/${id}`, { token: members.officer });
	expect(data.version).toBe(22);
	expect(
		data.notes
			?.split(' ')
			.map(Number)
			.sort((a, b) => a - b),
	).toEqual(fifty.slice(0, 20));
});

test('a member who changes during a DELETE with If-Match is not deleted', async () => {
	const { id } = await records.createMember();
	const sent = await inTransaction(members.db, async (transaction) => {
		const version = sql<number>`version + 1`;
		await transaction.updateTable('members').set({ version }).where('id', '=', id).execute();
		const deleting = call('DELETE', `${path}/${id}`, {
			token: members.officer,
			headers: { 'If-Match': '"1"' },
		});
		await eventually('the deletion waits', async () => (await waitingForLocks(transaction)) === 1);
		return { deleting };
	});
	const { status, data } = await sent.deleting;
	expect([status, data.code]).toEqual([412, 'PRECONDITION_FAILED']);
	expect((await records.storedRow(id))?.deletedAt).toBeNull();
});

// The dates were compared before the lock only.
test('of a PATCH of the birth date and one of the day of joining none leaves a member who joined before the birth', async () => {
	const { id } = await records.createMember({ dateOfBirth: '1990-03-04', joinDate: '2020-01-01' });
	const { sent } = await inTransaction(members.db, async (transaction) => {
		await transaction.selectFrom('members').select('id').where('id', '=', id).forUpdate().execute();
		const sent = [{ joinDate: '1995-01-01' }, { dateOfBirth: '2000-03-04' }].map((body) =>
			call('PATCH', `${path}/${id}`, { token: members.officer, body }),
		);
		await eventually('both wait', async () => (await waitingForLocks(transaction)) === sent.length);
		return { sent };
	});
	const responses = await Promise.all(sent);
	expect(countOf(responses.map(({ status }) => status))).toEqual({ 200: 1, 400: 1 });
	expect(responses.flatMap(({ data }) => data.errors ?? [])).toMatchObject([
		{ field: 'joinDate', code: 'INVALID_RANGE' },
	]);
	const row = await records.storedRow(id);
	expect(String(row?.joinDate) > String(row?.dateOfBirth)).toBe(true);
});

test('50 POSTs with one Idempotency-Key create one member, and all return it', async () => {
	const body = person({ lastName: 'Einmalig' });
	const headers = { 'Idempotency-Key': randomUUID() };
	const responses = await Promise.all(
		fifty.map(() => call<Member>('POST', path, { token: members.officer, body, headers })),
	);
	expect(countOf(responses.map(({ status }) => status))).toEqual({ 201: 50 });
	expect(new Set(responses.map(({ text }) => JSON.parse(text).data.id)).size).toBe(1);
	const stored = members.db.selectFrom('members').select('id').where('lastName', '=', 'Einmalig');
	expect(await stored.execute()).toHaveLength(1);
	const other = await call('POST', path, {
		token: members.officer,
		body: { ...body, title: 'Dr.' },
		headers,
	});
	expect([other.status, other.data.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
	const confirmed = await call('POST', `${path}?confirmDuplicate=true`, {
		token: members.officer,
		body,
		headers,
	});
	expect(confirmed.data.code).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('of 20 simultaneous registrations of one person, 19 are refused with the first', async () => {
	const body = person({ lastName: 'Andrang' });
	const responses = await Promise.all(
		fifty.slice(0, 20).map((index) =>
			call('POST', path, {
				token: members.officer,
				body: { ...body, firstName: index % 2 === 0 ? 'Jürgen' : 'Juergen' },
			}),
		),
	);
	expect(countOf(responses.map(({ status }) => status))).toEqual({ 201: 1, 409: 19 });
});

test('20 concurrent members get 20 consecutive numbers of their club, beside a given one', async () => {
	const club = await records.createClub('4444');
	const bodies = fifty.slice(0, 20).map(() => person({ homeClubId: club.id }));
	const token = members.officer;
	const responses = await Promise.all([
		...bodies.map((body) => call<Member>('POST', path, { token, body })),
		call<Member>('POST', path, { token, body: person({ membershipNumber: '44440001' }) }),
	]);
	const made = responses.filter(({ status }) => status === 201).map(({ data }) => data.membershipNumber);
	// The given number comes first or is a duplicate; in both cases all others have their own.
	expect(made.length).toBeGreaterThanOrEqual(20);
	expect([...made].sort()).toEqual(made.map((_, index) => `4444${String(index + 1).padStart(4, '0')}`));
});

test.each(['POST', 'PUT'])('a %s adds no member to a club that is closed concurrently', async (method) => {
	// The club was looked at before the transaction, when it was open still.
	const club = await records.createClub(method === 'POST' ? '5551' : '5552');
	const member = await records.createMember();
	const body = method === 'POST' ? person({ homeClubId: club.id }) : bodyOf(member, { homeClubId: club.id });
	const { coming } = await inTransaction(members.db, async (transaction) => {
		const closed = transaction.updateTable('clubs').set({ status: 'INACTIVE' }).where('id', '=', club.id);
		await transaction.selectFrom('clubs').select('id').where('id', '=', club.id).forUpdate().execute();
		await closed.execute();
		const to = method === 'POST' ? path : `${path}/${member.id}`;
		const sent = call(method, to, { token: members.officer, body });
		await eventually(
			'the request waits for the club',
			async () => (await waitingForLocks(transaction)) === 1,
		);
		return { coming: sent };
	});
	const { status, data } = await coming;
	expect([status, data.errors]).toMatchObject([400, [{ field: 'homeClubId', code: 'INVALID_REFERENCE' }]]);
	const inside = members.db.selectFrom('members').select('id').where('homeClubId', '=', club.id);
	expect(await inside.execute()).toEqual([]);
});

test('a known key is accepted while the master data is unavailable', async () => {
	const sent = { token: members.officer, body: person(), headers: { 'Idempotency-Key': randomUUID() } };
	const first = await call<Member>('POST', path, sent);
	members.clock.advance(5 * 60_000 + 1);
	members.registry.set('masterdata-service', []);
	const again = await call<Member>('POST', path, sent);
	members.registry.set('masterdata-service', [members.masterdata.url]);
	expect([again.status, again.data]).toEqual([201, first.data]);
});
