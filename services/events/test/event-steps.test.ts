import { describe, expect, test } from '@jest/globals';
import type { Event } from '../src/events/view-schemas.ts';
import { useOffice } from './use-events.ts';

const { events, office, stage } = useOffice();

const path = '/api/events';

/** The clock is that of every test in this file, so the event is moved instead. */
function shift(id: string, changes: { startsAt: Date; endsAt?: Date; entryDeadline?: Date }) {
	const late = changes.entryDeadline === undefined ? {} : { lateEntryUntil: null, entriesOpenAt: null };
	return events.db
		.updateTable('events')
		.set({ ...late, ...changes })
		.where('id', '=', id)
		.execute();
}

describe('cancel', () => {
	test('says why, ends every entry, and is final', async () => {
		const { id } = await office.published({ maxEntries: 1 });
		const { data: competitions } = await events.call<{ items: { id: string }[] }>(
			'GET',
			`${path}/${id}/competitions`,
		);
		const starts = competitions.items.map((competition) => ({ competitionId: competition.id }));
		for (let entry = 0; entry < 2; entry += 1)
			await events.call('POST', `${path}/${id}/entries`, {
				token: events.officer,
				body: { riderMemberId: stage.member().id, horseId: stage.horse().id, starts },
			});
		const before = await events.call<Event>('GET', `${path}/${id}`);
		expect(before.data.counts).toEqual({ competitions: 1, entries: 2, accepted: 1, waitlisted: 1 });
		const { status, data } = await office.step(id, 'cancel');
		expect([status, data.status, data.entryWindow, data.statusReason]).toEqual([
			200,
			'CANCELLED',
			'CLOSED',
			'Hochwasser',
		]);
		expect(data.counts).toEqual({ competitions: 1, entries: 2, accepted: 0, waitlisted: 0 });
		const entries = events.db.selectFrom('entries').select(['status', 'amountDue', 'position']);
		expect(await entries.where('eventId', '=', id).execute()).toEqual([
			{ status: 'CANCELLED', amountDue: 0, position: null },
			{ status: 'CANCELLED', amountDue: 0, position: null },
		]);
		expect((await office.step(id, 'cancel')).data).toMatchObject({ from: 'CANCELLED', allowed: [] });
		const put = await events.call('PUT', `${path}/${id}`, { token: events.officer, body: office.body() });
		expect([put.status, put.data.code]).toEqual([409, 'EVENT_CLOSED']);
		const removed = await events.call('DELETE', `${path}/${id}`, { token: office.organiser });
		expect(removed.data.code).toBe('EVENT_HAS_ENTRIES');
	});

	test('leaves no fees due, not even of late withdrawals', async () => {
		const eventId = await stage.event({ organiserClubId: office.clubId, eventNumber: '70001' });
		const competitionId = await stage.competition(eventId);
		const entered = await events.call<{ id: string }>('POST', `${path}/${eventId}/entries`, {
			token: events.officer,
			body: { riderMemberId: stage.member().id, horseId: stage.horse().id, starts: [{ competitionId }] },
		});
		await shift(eventId, {
			startsAt: new Date('2026-10-22T22:00:00Z'),
			entryDeadline: new Date('2026-09-15T09:59:59Z'),
		});
		const withdraw = `${path}/${eventId}/entries/${entered.data.id}/withdraw`;
		const withdrawn = await events.call<{ amountDue: number }>('POST', withdraw, { token: events.officer });
		expect(withdrawn.data.amountDue).toBe(4_300);
		expect((await office.step(eventId, 'cancel')).status).toBe(200);
		const entries = events.db.selectFrom('entries').select(['status', 'amountDue', 'version']);
		expect(await entries.where('eventId', '=', eventId).execute()).toEqual([
			{ status: 'WITHDRAWN', amountDue: 0, version: 3 },
		]);
	});

	test('needs a reason, and nothing else', async () => {
		const { id } = await office.published();
		const { status, data } = await events.call('POST', `${path}/${id}/cancel`, {
			token: office.organiser,
			body: { reason: ' ', refund: true },
		});
		expect([status, data.errors?.map(({ field }) => field).sort()]).toEqual([
			400,
			['refund', 'statusReason'],
		]);
	});

	test('is not for a draft', async () => {
		const { id } = await office.draft();
		expect((await office.step(id, 'cancel')).data).toMatchObject({
			from: 'DRAFT',
			allowed: ['SUBMITTED', 'PUBLISHED'],
		});
	});
});

describe('complete', () => {
	test('is possible from the first day on, also when the days are over', async () => {
		const { id } = await office.published();
		expect((await office.step(id, 'complete')).data).toMatchObject({
			from: 'REGISTRATION_OPEN',
			to: 'COMPLETED',
			allowed: ['CANCELLED'],
		});
		const now = events.clock.now().getTime();
		await shift(id, { startsAt: new Date(now), entryDeadline: new Date(now - 1) });
		expect((await office.step(id, 'complete')).data.status).toBe('COMPLETED');
		const past = await office.published();
		await shift(past.id, { startsAt: new Date(now - 2), endsAt: new Date(now) });
		const shown = await events.call<Event>('GET', `${path}/${past.id}`);
		expect([shown.data.status, shown.data.version]).toEqual(['COMPLETED', 2]);
		expect((await office.step(past.id, 'cancel')).data).toMatchObject({
			from: 'COMPLETED',
			allowed: ['COMPLETED'],
		});
		expect((await office.step(past.id, 'complete')).data.version).toBe(3);
	});
});

test('the clock opens and closes entries, begins and ends an event', async () => {
	const { id } = await office.published();
	const present = events.clock.now().getTime();
	const shownAt = async (instant: string, laterMs: number) => {
		events.clock.advance(Date.parse(instant) + laterMs - events.clock.now().getTime());
		const { data } = await events.call<Event>('GET', `${path}/${id}`);
		return `${data.status} ${data.entryWindow}`;
	};
	// The last millisecond before each change, and the first after it; a deadline itself is still in time.
	for (const [instant, before, after] of [
		['2026-09-01T06:00:00Z', 'PUBLISHED NOT_YET', 'REGISTRATION_OPEN REGULAR'],
		['2026-10-12T21:59:00.001Z', 'REGISTRATION_OPEN REGULAR', 'REGISTRATION_CLOSED LATE'],
		['2026-10-19T21:59:00.001Z', 'REGISTRATION_CLOSED LATE', 'REGISTRATION_CLOSED CLOSED'],
		['2026-10-22T22:00:00Z', 'REGISTRATION_CLOSED CLOSED', 'IN_PROGRESS CLOSED'],
		['2026-10-25T23:00:00Z', 'IN_PROGRESS CLOSED', 'COMPLETED CLOSED'],
	] as const)
		expect([instant, await shownAt(instant, -1), await shownAt(instant, 0)]).toEqual([
			instant,
			before,
			after,
		]);
	events.clock.advance(present - events.clock.now().getTime());
});
