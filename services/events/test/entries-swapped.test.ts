import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Entry } from '../src/entries/view-schemas.ts';
import { useEntryDesk } from './use-events.ts';

const { events, call, stage, desk } = useEntryDesk();

const tooLate = new Date('2026-09-15T09:59:59Z');
type Answer = Entry & { code?: string; checks: readonly { code: string }[] };

let eventId: string;
let competitionId: string;

beforeEach(async () => {
	eventId = await stage.event({ swapFee: 1_500 });
	competitionId = await stage.competition(eventId);
});

const swap = (
	{ id }: Pick<Entry, 'id'>,
	body: {
		riderMemberId?: string;
		horseId?: string;
		reason?: string;
		overrides?: readonly { code: string; reason: string }[];
	},
	token = desk.organiser,
	headers: Record<string, string> = {},
) => call<Answer>('POST', `/api/events/${eventId}/entries/${id}/swap`, { token, body, headers });
const read = async ({ id }: Entry) =>
	(await call<Entry>('GET', `/api/events/${eventId}/entries/${id}`, { token: desk.organiser })).data;
const passDeadline = () =>
	events.db.updateTable('events').set({ entryDeadline: tooLate }).where('id', '=', eventId).execute();
const together = <Response>(requests: readonly (() => Promise<Response>)[]) =>
	Promise.all(requests.map((request) => request()));
/** Neither rider nor horse belong to the club of the organiser. */
const strangers = () => ({
	riderMemberId: stage.member({ homeClubId: randomUUID() }).id,
	horseId: stage.horse({ clubId: randomUUID() }).id,
});

describe('an entry is passed on', () => {
	test('to another horse with its starts, its place and its number, for the fee', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const horse = stage.horse({ name: 'Ersatz' });
		const { status, data } = await swap(entry, { horseId: horse.id, reason: 'Lahmheit' });
		expect([status, data.horseId, data.horse.name, data.status, data.entryNumber]).toEqual([
			200,
			horse.id,
			'Ersatz',
			'ACCEPTED',
			entry.entryNumber,
		]);
		expect([data.amountDue, data.ledger.at(-1)?.kind, data.version]).toEqual([5_800, 'SWAP', 2]);
		expect(data.swaps).toEqual([
			{
				fromRiderMemberId: entry.riderMemberId,
				fromRiderName: 'Eva Zügelbauer',
				toRiderMemberId: entry.riderMemberId,
				toRiderName: 'Eva Zügelbauer',
				fromHorseId: entry.horseId,
				fromHorseName: 'Lärchenglut',
				toHorseId: horse.id,
				toHorseName: 'Ersatz',
				reason: 'Lahmheit',
				swappedAt: events.clock.now().toISOString(),
				swappedBy: expect.any(String),
			},
		]);
		const starts = events.db
			.selectFrom('starts')
			.select(['horseId', 'status'])
			.where('entryId', '=', entry.id);
		expect(await starts.execute()).toEqual([{ horseId: horse.id, status: 'ACCEPTED' }]);
		// The former horse is free for another entry.
		const again = await call('POST', `/api/events/${eventId}/entries`, {
			token: desk.organiser,
			body: { ...desk.pair(competitionId), horseId: entry.horseId },
		});
		expect(again.status).toBe(201);
	});

	test('to another rider, by the office and while it waits too', async () => {
		const full = await stage.event({ maxEntries: 1 });
		const competition = await stage.competition(full);
		await desk.enter(full, [competition]);
		const waiting = await desk.enter(full, [competition]);
		const { riderMemberId } = strangers();
		const { status, data } = await call<Entry>('POST', `/api/events/${full}/entries/${waiting.id}/swap`, {
			token: events.officer,
			body: { riderMemberId },
		});
		expect([status, data.riderMemberId, data.status, data.position]).toEqual([
			200,
			riderMemberId,
			'WAITLISTED',
			1,
		]);
		// Without a fee there is no line.
		expect(data.ledger.map(({ kind }) => kind)).toEqual(['ENTRY', 'START']);
		const own = await call('GET', `/api/events/${full}/entries/${waiting.id}`, {
			token: events.sign({ memberId: riderMemberId }),
		});
		expect(own.status).toBe(200);
	});

	test('by the rider to an own horse; not to one of others', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const token = events.sign({ memberId: entry.riderMemberId });
		const own = stage.horse({ ownerMemberIds: [entry.riderMemberId] }).id;
		expect((await swap(entry, { horseId: strangers().horseId }, token)).data.code).toBe('OUT_OF_SCOPE');
		expect((await swap(entry, { horseId: own }, token)).status).toBe(200);
	});

	test('by the organiser to anybody only after the entry deadline', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const others = strangers();
		expect((await swap(entry, others)).data.code).toBe('OUT_OF_SCOPE');
		await passDeadline();
		const { status, data } = await swap(entry, others);
		expect([status, data.riderMemberId, data.horseId]).toEqual([200, others.riderMemberId, others.horseId]);
	});

	test('not by those whom it does not concern, nor without a token', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const horseId = stage.horse().id;
		expect((await swap(entry, { horseId }, events.sign({ memberId: stage.member().id }))).status).toBe(404);
		const anonymous = await call('POST', `/api/events/${eventId}/entries/${entry.id}/swap`, {
			body: { horseId },
		});
		expect(anonymous.status).toBe(401);
	});

	test('once for an Idempotency-Key', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const body = { horseId: stage.horse().id };
		const headers = { 'Idempotency-Key': randomUUID() };
		const first = await swap(entry, body, desk.organiser, headers);
		const second = await swap(entry, body, desk.organiser, headers);
		expect([first.status, second.status, second.data.version]).toEqual([200, 200, first.data.version]);
		expect((await read(entry)).swaps).toHaveLength(1);
	});
});

describe('a further entry of a horse', () => {
	const enter = async (horseId: string, free: string) => {
		const body = { ...desk.pair(free), horseId };
		return (await call<Entry>('POST', `/api/events/${eventId}/entries`, { token: desk.organiser, body }))
			.data;
	};
	const fees = async (entry: Entry) =>
		(await read(entry)).ledger
			.filter(({ kind }) => kind === 'ENTRY' || kind === 'SWAP')
			.map(({ kind, amount }) => `${kind} ${amount}`);
	const isAdditional = async ({ id }: Entry) =>
		(await desk.stored(eventId)).find((row) => row.id === id)?.isAdditional;
	const riderMemberId = () => stage.member().id;
	let free: string;

	beforeEach(async () => {
		free = await stage.competition(eventId, { kind: 'LICENCE_FREE' });
	});

	// The horse paid twice: its first entry owed the fee after a late withdrawal.
	test('stays without entry fee with another rider, though the first one ended', async () => {
		const horseId = stage.horse().id;
		const [first, further] = [await enter(horseId, free), await enter(horseId, free)];
		await passDeadline();
		expect((await desk.end(first)).data.amountDue).toBe(4_300);
		expect((await swap(further, { riderMemberId: riderMemberId() })).data.amountDue).toBe(3_300);
		expect([await fees(further), await isAdditional(further)]).toEqual([['SWAP 1500'], true]);
	});

	test('does not become the first one if that one gets another rider', async () => {
		const horseId = stage.horse().id;
		const [first, further] = [await enter(horseId, free), await enter(horseId, free)];
		expect((await swap(first, { riderMemberId: riderMemberId() })).status).toBe(200);
		expect(await fees(first)).toEqual(['ENTRY 2500', 'SWAP 1500']);
		expect([await isAdditional(first), await isAdditional(further)]).toEqual([false, true]);
	});

	// It booked its fee again with the next horse.
	test('keeps its entry fee with a horse that has an entry, and has it once with the next one', async () => {
		const taken = await enter(stage.horse().id, free);
		const entry = await enter(stage.horse().id, free);
		expect((await swap(entry, { horseId: taken.horseId })).data.amountDue).toBe(5_800);
		expect(await isAdditional(entry)).toBe(true);
		const { data } = await swap(entry, { horseId: stage.horse().id });
		expect([data.amountDue, await isAdditional(entry)]).toEqual([7_300, false]);
		expect(await fees(entry)).toEqual(['ENTRY 2500', 'SWAP 1500', 'SWAP 1500']);
	});
});

describe('the checks of a new entry run', () => {
	test('for the new horse and the new rider', async () => {
		const junior = await stage.competition(eventId, { horseMinAge: 8 });
		const entry = await desk.enter(eventId, [junior]);
		const codes = async (body: { riderMemberId?: string; horseId?: string }) => {
			const { status, data } = await swap(entry, body, events.officer);
			return [
				status,
				...(data.checks ?? []).filter((check) => check.code !== 'FEE_UNPAID').map(({ code }) => code),
			];
		};
		const taken = await desk.enter(eventId, [competitionId]);
		const year = 2026;
		expect(await codes({ horseId: stage.horse({ birthYear: year - 7 }).id })).toEqual([
			422,
			'HORSE_TOO_YOUNG',
		]);
		expect(await codes({ horseId: taken.horseId })).toEqual([422, 'ENTRY_DUPLICATE']);
		expect(await codes({ horseId: randomUUID() })).toEqual([422, 'HORSE_UNKNOWN']);
		expect(await codes({ horseId: stage.horse({ status: 'SUSPENDED' }).id })).toEqual([
			422,
			'HORSE_NOT_ACTIVE',
		]);
		expect(await codes({ riderMemberId: stage.member({ status: 'SUSPENDED' }).id })).toEqual([
			422,
			'RIDER_ON_SUSPENSION_LIST',
		]);
		expect(await read(entry)).toMatchObject({ horseId: entry.horseId, swaps: [], version: 1 });
	});

	test('and are passed at the desk; what was passed for the former pair stays on record', async () => {
		const old = await stage.competition(eventId, { horseMinAge: 8 });
		const overrides = [{ code: 'HORSE_TOO_YOUNG', reason: 'Ausnahme' }];
		const young = () => stage.horse({ birthYear: 2019 }).id;
		const made = await call<Entry>('POST', `/api/events/${eventId}/entries`, {
			token: desk.organiser,
			body: { ...desk.pair(old), horseId: young(), overrides },
		});
		expect(made.status).toBe(201);
		const horseId = young();
		expect((await swap(made.data, { horseId })).data.code).toBe('ENTRY_NOT_ALLOWED');
		const rider = events.sign({ memberId: made.data.riderMemberId });
		expect((await swap(made.data, { horseId, overrides }, rider)).data.code).toBe('OUT_OF_SCOPE');
		const { status, data } = await swap(made.data, { horseId, overrides });
		expect([status, data.overrides.map(({ reason }) => reason)]).toEqual([200, ['Ausnahme', 'Ausnahme']]);
		expect(data.checks.map(({ code, level }) => `${code} ${level}`)).toEqual(['HORSE_TOO_YOUNG WARNING']);
	});

	test('but not those of the entry deadlines', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		await events.db
			.updateTable('events')
			.set({ entryDeadline: tooLate, lateEntryUntil: tooLate })
			.where('id', '=', eventId)
			.execute();
		const { status, data } = await swap(entry, { horseId: stage.horse().id });
		expect([status, data.type, data.status]).toEqual([200, 'REGULAR', 'ACCEPTED']);
	});
});

describe('an entry is not passed on', () => {
	test('once it ended, before it counts, or after its first start', async () => {
		const ended = await desk.enter(eventId, [competitionId]);
		await desk.end(ended);
		const horseId = stage.horse().id;
		expect((await swap(ended, { horseId })).data.code).toBe('ENTRY_NOT_SWAPPABLE');
		const rider = stage.member({ homeClubId: randomUUID() });
		const pending = await call<Entry>('POST', `/api/events/${eventId}/entries`, {
			token: desk.organiser,
			body: { ...desk.pair(competitionId), riderMemberId: rider.id },
		});
		expect(pending.data.status).toBe('PENDING_CONFIRMATION');
		expect((await swap(pending.data, { horseId }, events.officer)).data.code).toBe('ENTRY_NOT_SWAPPABLE');
		const ridden = await desk.enter(eventId, [competitionId]);
		await events.db
			.updateTable('competitions')
			.set({ date: '2026-09-14' })
			.where('id', '=', competitionId)
			.execute();
		expect((await swap(ridden, { horseId }, events.officer)).data.code).toBe('ENTRY_NOT_SWAPPABLE');
	});

	test('to the same pair, to none, or from a stale version', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const { riderMemberId, horseId } = entry;
		expect((await swap(entry, { riderMemberId, horseId })).status).toBe(400);
		expect((await swap(entry, {})).status).toBe(400);
		const other = { horseId: stage.horse().id };
		expect((await swap(entry, other, desk.organiser, { 'If-Match': '"9"' })).status).toBe(412);
	});
});

describe('at once', () => {
	test('two entries get the same horse once', async () => {
		const entries = [await desk.enter(eventId, [competitionId]), await desk.enter(eventId, [competitionId])];
		const horseId = stage.horse().id;
		const responses = await together(entries.map((entry) => () => swap(entry, { horseId })));
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
	});

	test('of two swaps of the version that both have read one wins', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const { headers } = await call('GET', `/api/events/${eventId}/entries/${entry.id}`, {
			token: desk.organiser,
		});
		const read1 = { 'If-Match': headers.get('etag') ?? '' };
		const responses = await together(
			[1, 2].map(() => () => swap(entry, { horseId: stage.horse().id }, desk.organiser, read1)),
		);
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
		expect((await read(entry)).swaps).toHaveLength(1);
	});

	// The second wrote the horse that it had looked up before the first changed it.
	test('one of the horse and one of the rider leave one consistent pair', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const horseId = stage.horse({ name: 'Ersatz' }).id;
		const riderMemberId = stage.member().id;
		const responses = await together([() => swap(entry, { horseId }), () => swap(entry, { riderMemberId })]);
		for (const { status } of responses) expect([200, 409]).toContain(status);
		const { horse, ...stored } = await read(entry);
		const start = events.db
			.selectFrom('starts')
			.select(['horseId', 'riderMemberId'])
			.where('entryId', '=', entry.id);
		expect(await start.executeTakeFirst()).toEqual({
			horseId: stored.horseId,
			riderMemberId: stored.riderMemberId,
		});
		expect(horse.name).toBe(stored.horseId === horseId ? 'Ersatz' : 'Lärchenglut');
	});

	test('a swap and a withdrawal leave a withdrawn entry that owes nothing', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const responses = await together<{ status: number }>([
			() => swap(entry, { horseId: stage.horse().id }),
			() => desk.end(entry),
		]);
		expect([200, 409]).toContain(responses[0]?.status);
		expect(responses[1]?.status).toBe(200);
		expect(await read(entry)).toMatchObject({ status: 'WITHDRAWN', amountDue: 0 });
	});
});
