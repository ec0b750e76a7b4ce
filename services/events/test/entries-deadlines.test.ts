import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { setStage } from './stage.ts';
import { useEvents } from './use-events.ts';

const { events, stage } = useEvents();

let organiser: ReturnType<typeof setStage>['clubId'];

beforeAll(async () => {
	organiser = stage.clubId;
});

function moveTo(instant: string): void {
	events.clock.advance(Date.parse(instant) - events.clock.now().getTime());
}

/** A token lives 15 minutes of the clock that is moved, so each call gets a new one. */
async function enter(
	eventId: string,
	competitionId: string,
	by: 'rider' | 'organiser',
	type?: Entry['type'],
) {
	const riderMemberId = stage.member().id;
	const token =
		by === 'rider'
			? events.sign({ memberId: riderMemberId })
			: events.sign({ roles: ['ORGANISER'], roleScopes: { ORGANISER: { clubIds: [organiser] } } });
	const starts = [{ competitionId }];
	const horseId = stage.horse({ ownerMemberIds: [riderMemberId] }).id;
	const body = { riderMemberId, horseId, starts, ...(type === undefined ? {} : { type }) };
	const { status, data } = await events.call('POST', `/api/events/${eventId}/entries`, { token, body });
	const [check] = (data['checks'] ?? []) as { code: string }[];
	return { status, code: check?.code, data: data as unknown as Entry };
}

function withdraw(entry: Entry) {
	const token = events.sign({ memberId: entry.riderMemberId });
	return events.call<Entry>('POST', `/api/events/${entry.eventId}/entries/${entry.id}/withdraw`, { token });
}

// Clocks in Vienna go back on 25 October 2026 at 03:00: 23:59 is 21:59 UTC the day before, 22:59 UTC that day.
describe.each([
	['on the last day of summer time', '2026-10-24T21:59:00Z', '2026-10-24T22:00:00Z'],
	['on the day of the change', '2026-10-25T22:59:00Z', '2026-10-25T23:00:00Z'],
])('a deadline of 23:59 in Vienna %s', (_day, deadline, midnight) => {
	test('is applied by the clock', async () => {
		const eventId = await stage.event({
			startDate: '2026-11-06',
			endDate: '2026-11-08',
			entryDeadline: new Date(deadline),
			lateEntryUntil: null,
		});
		const competitionId = await stage.competition(eventId, { date: '2026-11-07' });
		moveTo(new Date(Date.parse(deadline) - 60_000).toISOString());
		expect((await enter(eventId, competitionId, 'rider')).status).toBe(201);
		moveTo(deadline);
		expect((await enter(eventId, competitionId, 'rider')).status).toBe(201);
		moveTo(midnight);
		expect(await enter(eventId, competitionId, 'rider')).toMatchObject({
			status: 422,
			code: 'EVENT_NOT_OPEN',
		});
		expect((await enter(eventId, competitionId, 'organiser')).code).toBe('EVENT_NOT_OPEN');
	});
});

describe('an event through its time', () => {
	let eventId: string;
	let competitionId: string;

	beforeAll(async () => {
		eventId = await stage.event({
			startDate: '2026-12-04',
			endDate: '2026-12-05',
			entriesOpenAt: new Date('2026-11-10T08:00:00Z'),
			entryDeadline: new Date('2026-11-20T22:59:00Z'),
			lateEntryUntil: new Date('2026-12-04T08:00:00Z'),
			maxEntries: 3,
		});
		competitionId = await stage.competition(eventId, { date: '2026-12-05' });
	});

	test('refuses entries before they open', async () => {
		moveTo('2026-11-10T07:59:59Z');
		expect((await enter(eventId, competitionId, 'rider')).code).toBe('EVENT_NOT_OPEN');
		expect((await enter(eventId, competitionId, 'organiser')).code).toBe('EVENT_NOT_OPEN');
	});

	test('accepts late entries from the organiser only, with the surcharge; a withdrawal then stays due', async () => {
		moveTo('2026-11-20T10:00:00Z');
		const early = (await enter(eventId, competitionId, 'rider')).data;
		const kept = (await enter(eventId, competitionId, 'rider')).data;
		expect((await enter(eventId, competitionId, 'organiser', 'LATE')).code).toBe('EVENT_NOT_OPEN');
		expect((await withdraw(early)).data).toMatchObject({ status: 'WITHDRAWN', amountDue: 0 });

		moveTo('2026-11-20T22:59:00.001Z');
		expect((await enter(eventId, competitionId, 'rider')).code).toBe('LATE_ONLY_BY_ORGANISER');
		expect((await enter(eventId, competitionId, 'organiser', 'REGULAR')).code).toBe('EVENT_NOT_OPEN');
		const late = await enter(eventId, competitionId, 'organiser');
		expect([late.status, late.data]).toMatchObject([
			201,
			{ type: 'LATE', status: 'ACCEPTED', amountDue: 5_800 },
		]);
		expect((await withdraw(late.data)).data).toMatchObject({ status: 'WITHDRAWN', amountDue: 5_800 });

		// The event runs: the last hour of late entries, and places still move up.
		moveTo('2026-12-04T07:30:00Z');
		await enter(eventId, competitionId, 'organiser');
		await enter(eventId, competitionId, 'organiser');
		const waiting = (await enter(eventId, competitionId, 'organiser', 'LATE')).data;
		expect(waiting).toMatchObject({ status: 'WAITLISTED', position: 1 });
		expect((await withdraw(waiting)).data.amountDue).toBe(0);
		const again = (await enter(eventId, competitionId, 'organiser')).data;
		expect((await withdraw(kept)).data).toMatchObject({ status: 'WITHDRAWN', amountDue: 4_300 });
		const row = await events.db
			.selectFrom('entries')
			.selectAll()
			.where('id', '=', again.id)
			.executeTakeFirst();
		expect(row).toMatchObject({ status: 'ACCEPTED', position: null });
	});

	test('refuses entries after the late deadline, and changes after the event', async () => {
		moveTo('2026-12-04T08:00:00.001Z');
		expect((await enter(eventId, competitionId, 'organiser')).code).toBe('EVENT_NOT_OPEN');
		const rows = await events.db
			.selectFrom('entries')
			.selectAll()
			.where('eventId', '=', eventId)
			.where('status', '=', 'ACCEPTED')
			.execute();
		const [row] = rows;
		const entry = { id: row?.id, eventId, riderMemberId: row?.riderMemberId } as Entry;
		// 5 December ends in Vienna at 23:00 UTC.
		moveTo('2026-12-05T23:00:00Z');
		const over = await withdraw(entry);
		expect([over.status, over.data]).toMatchObject([
			409,
			{ code: 'ILLEGAL_STATE_TRANSITION', from: 'ACCEPTED', to: 'WITHDRAWN', allowed: [] },
		]);
		moveTo('2026-12-05T22:59:59Z');
		expect((await withdraw(entry)).status).toBe(200);
	});
});
