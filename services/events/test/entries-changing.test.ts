import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { EntryPair } from './entry-desk.ts';
import { useEntryDesk } from './use-events.ts';

const { events, call, desk } = useEntryDesk();

let eventId: string;
let path: string;
let first: string;
let second: string;

beforeEach(async () => {
	eventId = await desk.stage.event();
	path = `/api/events/${eventId}/entries`;
	first = await desk.stage.competition(eventId);
	second = await desk.stage.competition(eventId, { startFee: 1_000 });
});

const startsIn = (...ids: string[]) => ids.map((competitionId) => ({ competitionId }));

function post(body: EntryPair, token = desk.organiser) {
	return call<Entry>('POST', path, { token, body });
}

function put(entry: Entry, competitionIds: string[], options: { token?: string; version?: number } = {}) {
	const { token = desk.organiser, version } = options;
	return call<Entry>('PUT', `${path}/${entry.id}`, {
		token,
		body: { starts: startsIn(...competitionIds) },
		...(version === undefined ? {} : { headers: { 'If-Match': `"${version}"` } }),
	});
}

const statusesIn = (entry: Entry) => entry.starts.map(({ competitionId, status }) => [competitionId, status]);

// OeTO §26.1. A second entry was accepted and charged, its fee included.
describe('one entry per horse and event', () => {
	test('a second one is refused, with another rider too, also when both are concurrent', async () => {
		const body = desk.pair(first);
		// Each in a competition of its own: any of them may come first.
		const third = await desk.stage.competition(eventId);
		const others = { ...body, riderMemberId: desk.stage.member().id, starts: startsIn(third) };
		const responses = await Promise.all([
			post(body),
			post({ ...body, starts: startsIn(second) }),
			post(others),
		]);
		expect(responses.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
		for (const { status, data } of responses)
			if (status === 422)
				expect((data as unknown as { checks: { code: string }[] }).checks.map(({ code }) => code)).toEqual([
					'ENTRY_DUPLICATE',
				]);
		expect(await desk.stored(eventId)).toHaveLength(1);
	});

	test('the database refuses one that no check has seen', async () => {
		await post(desk.pair(first));
		const [row] = await desk.stored(eventId);
		const { id: _, ...copy } = row as NonNullable<typeof row>;
		const again = {
			...copy,
			entryNumber: 99,
			checks: JSON.stringify(copy.checks),
			judgedBy: null,
			overrides: '[]',
		};
		await expect(events.db.insertInto('entries').values(again).execute()).rejects.toThrow(
			'entries_event_id_horse_id_key',
		);
	});

	test('the horse may be entered again after a withdrawal, and at other events', async () => {
		const body = desk.pair(first);
		const { data } = await post(body);
		await desk.end(data);
		expect((await post(body)).status).toBe(201);
		const other = await desk.stage.event();
		const competitionId = await desk.stage.competition(other, { date: '2026-10-25' });
		const elsewhere = await call('POST', `/api/events/${other}/entries`, {
			token: desk.organiser,
			body: { ...body, starts: startsIn(competitionId) },
		});
		expect(elsewhere.status).toBe(201);
	});
});

describe('PUT /events/{id}/entries/{entryId}', () => {
	test('adds and removes starts, with their fees', async () => {
		const { data: entry } = await post(desk.pair(first));
		expect(entry.amountDue).toBe(4_300);
		const added = await put(entry, [first, second], { version: entry.version });
		expect([added.status, statusesIn(added.data), added.data.amountDue, added.data.version]).toEqual([
			200,
			[
				[first, 'ACCEPTED'],
				[second, 'ACCEPTED'],
			],
			5_300,
			entry.version + 1,
		]);
		const moved = await put(added.data, [second]);
		expect([statusesIn(moved.data), moved.data.amountDue]).toEqual([[[second, 'ACCEPTED']], 3_500]);
		const stale = await put(moved.data, [first], { version: entry.version });
		expect([stale.status, stale.data]).toMatchObject([412, { code: 'PRECONDITION_FAILED' }]);
		const same = await put(moved.data, [second]);
		expect(same.data.version).toBe(moved.data.version);
	});

	test('accepts the record as it was read, unless a server-owned field differs', async () => {
		const { data: entry } = await post(desk.pair(first));
		const send = (changes: object) =>
			call('PUT', `${path}/${entry.id}`, {
				token: desk.organiser,
				body: { ...entry, starts: startsIn(first, second), ...changes },
			});
		expect((await send({ horseId: desk.stage.horse().id })).status).toBe(400);
		expect((await send({})).status).toBe(200);
	});

	test('checks added starts as in a new entry', async () => {
		const ponies = await desk.stage.competition(eventId, { ponyOnly: true });
		const { data: entry } = await post(desk.pair(first));
		const { status, data } = await put(entry, [first, ponies]);
		expect([status, data]).toMatchObject([
			422,
			{ code: 'ENTRY_NOT_ALLOWED', checks: [{ code: 'NOT_A_PONY' }] },
		]);
		expect((await desk.stored(eventId))[0]?.version).toBe(entry.version);
	});

	test('removes starts of a rider who may not start any more, and adds none', async () => {
		const { data: entry } = await post({ ...desk.pair(first), starts: startsIn(first, second) });
		const rider = events.peers.members.get(entry.riderMemberId);
		events.peers.members.set(entry.riderMemberId, {
			...(rider as NonNullable<typeof rider>),
			status: 'SUSPENDED',
		});
		expect((await put(entry, [first])).status).toBe(200);
		expect((await put(entry, [first, second])).status).toBe(422);
	});

	test('leaves an accepted entry as it is when an added competition is full', async () => {
		const small = await desk.stage.competition(eventId, { maxStarters: 1 });
		await post(desk.pair(small));
		const { data: entry } = await post(desk.pair(first));
		const { status, data } = await put(entry, [first, small]);
		expect([status, data]).toMatchObject([409, { code: 'COMPETITION_FULL' }]);
	});

	test('gives the place of a removed start to a waiting entry', async () => {
		const small = await desk.stage.competition(eventId, { maxStarters: 1 });
		const { data: entry } = await post({ ...desk.pair(), starts: startsIn(first, small) });
		const { data: waiting } = await post(desk.pair(small));
		expect(waiting.status).toBe('WAITLISTED');
		await put(entry, [first]);
		expect(await desk.standing(eventId)).toEqual(['1 ACCEPTED', '2 ACCEPTED']);
	});

	test('is refused after the deadline, for an ended entry, and without a start', async () => {
		const { data: entry } = await post(desk.pair(first));
		const none = await call('PUT', `${path}/${entry.id}`, { token: desk.organiser, body: { starts: [] } });
		expect(none.status).toBe(400);
		const closed = { entryDeadline: new Date(events.clock.now().getTime() - 1_000), lateEntryUntil: null };
		await events.db.updateTable('events').set(closed).where('id', '=', eventId).execute();
		const late = await put(entry, [first, second]);
		expect([late.status, late.data]).toMatchObject([422, { checks: [{ code: 'EVENT_NOT_OPEN' }] }]);
		await desk.end(entry);
		const ended = await put(entry, [second]);
		expect([ended.status, ended.data]).toMatchObject([
			409,
			{ code: 'ILLEGAL_STATE_TRANSITION', from: 'WITHDRAWN' },
		]);
	});

	test('lets an owner remove starts, but not add any to an entry that the rider made', async () => {
		const owner = desk.stage.member();
		const horse = desk.stage.horse({ ownerMemberIds: [owner.id], clubId: null });
		const { data: entry } = await post({ ...desk.pair(first), horseId: horse.id });
		const token = events.sign({ memberId: owner.id });
		const added = await put(entry, [first, second], { token });
		expect([added.status, added.data]).toMatchObject([403, { code: 'OUT_OF_SCOPE' }]);
		await put(entry, [first, second]);
		expect((await put(entry, [second], { token })).status).toBe(200);
		const stranger = events.sign({ memberId: desk.stage.member({ homeClubId: null }).id });
		expect((await put(entry, [first], { token: stranger })).status).toBe(404);
	});

	test('lets the organiser add starts in the late window, without a second entry fee', async () => {
		const { data: entry } = await post(desk.pair(first));
		const passed = { entryDeadline: new Date(events.clock.now().getTime() - 1_000) };
		await events.db.updateTable('events').set(passed).where('id', '=', eventId).execute();
		const { status, data } = await put(entry, [first, second]);
		expect([status, data.type, data.amountDue]).toEqual([200, 'REGULAR', entry.amountDue + 1_000]);
	});

	// Judged as another late entry, which the open regular window refuses.
	test('lets the rider change a late entry once a later deadline is in the future again', async () => {
		const riderMemberId = desk.stage.member().id;
		const token = events.sign({ memberId: riderMemberId });
		const moveDeadline = (entryDeadline: Date) =>
			events.db.updateTable('events').set({ entryDeadline }).where('id', '=', eventId).execute();
		await moveDeadline(new Date(events.clock.now().getTime() - 1_000));
		const { data: entry } = await post({ ...desk.pair(first), riderMemberId });
		expect(entry.type).toBe('LATE');
		const refused = await put(entry, [first, second], { token });
		expect([refused.status, refused.data]).toMatchObject([
			422,
			{ checks: [{ code: 'LATE_ONLY_BY_ORGANISER' }] },
		]);
		await moveDeadline(new Date(events.clock.now().getTime() + 1_000));
		const { status, data } = await put(entry, [first, second], { token });
		expect([status, data.type, data.amountDue]).toEqual([200, 'LATE', entry.amountDue + 1_000]);
	});

	test('removes no start whose day is over', async () => {
		const { data: entry } = await post({ ...desk.pair(), starts: startsIn(first, second) });
		await events.db.updateTable('competitions').set({ date: '2026-09-14' }).where('id', '=', first).execute();
		const { status, data } = await put(entry, [second]);
		expect([status, data]).toMatchObject([422, { checks: [{ code: 'COMPETITION_OVER' }] }]);
	});

	test('accepts starts as they were read', async () => {
		const { data: entry } = await post(desk.pair(first));
		const body = { ...entry, starts: [...entry.starts, { competitionId: second }] };
		const { status, data } = await call<Entry>('PUT', `${path}/${entry.id}`, { token: desk.organiser, body });
		expect([status, data.starts.length]).toEqual([200, 2]);
	});
});

// Starts could be added between the rider's reading of a pending entry and the confirmation.
test('an entry is confirmed as it was read', async () => {
	const owner = desk.stage.member();
	const rider = desk.stage.member({ homeClubId: null });
	const horse = desk.stage.horse({ ownerMemberIds: [owner.id], clubId: null });
	const token = events.sign({ memberId: owner.id });
	const { data: read } = await post(
		{ riderMemberId: rider.id, horseId: horse.id, starts: startsIn(first) },
		token,
	);
	expect(read.status).toBe('PENDING_CONFIRMATION');
	expect((await put(read, [first, second], { token })).status).toBe(200);
	const confirm = (version: number) =>
		call<Entry>('POST', `${path}/${read.id}/confirm`, {
			token: events.sign({ memberId: rider.id }),
			headers: { 'If-Match': `"${version}"` },
		});
	const stale = await confirm(read.version);
	expect([stale.status, stale.data]).toMatchObject([412, { code: 'PRECONDITION_FAILED' }]);
	const { status, data } = await confirm(read.version + 1);
	expect([status, data.status, data.starts.length]).toEqual([200, 'ACCEPTED', 2]);
});
