import { beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { NewEventRow } from '../src/database-schema.ts';
import { insertEntry } from '../src/entries/store.ts';
import type { EntryStatus, EntryType } from '../src/enumerations.ts';
import { countEvents, countThisYear } from '../src/events/list.ts';
import type { EventStats } from '../src/events/view-schemas.ts';
import { useEvents } from './use-events.ts';

const { events, stage } = useEvents();

const path = '/api/events/stats';

/** Counted by hand below. The present is 15 September 2026, 12:00 in Vienna. */
beforeAll(async () => {
	const { event, competition, member, horse } = stage;
	const riders = [member(), member(), member()] as const;
	const horses = [horse(), horse(), horse(), horse()] as const;
	const enter = async (
		eventId: string,
		number: number,
		[rider, ridden]: readonly [0 | 1 | 2, 0 | 1 | 2 | 3],
		status: EntryStatus,
		type: EntryType = 'REGULAR',
	) => {
		const competitionId = await competition(eventId);
		const at = events.clock.now();
		await insertEntry(
			events.db,
			{
				...someSnapshots,
				eventId,
				entryNumber: number,
				type,
				status,
				position: status === 'WAITLISTED' ? number : null,
				riderMemberId: riders[rider].id,
				horseId: horses[ridden].id,
				createdAt: at,
				updatedAt: at,
			},
			{ starts: [{ competitionId, startFee: 0 }], lines: [], acts: [] },
		);
	};
	const days = (startDate: string, endDate = startDate): Partial<NewEventRow> => ({
		startDate,
		endDate,
	});
	const open = await event({ disciplines: ['JUMPING', 'DRESSAGE'] });
	await enter(open, 1, [0, 0], 'ACCEPTED');
	await enter(open, 2, [0, 1], 'ACCEPTED', 'LATE');
	await enter(open, 3, [1, 2], 'WAITLISTED');
	await enter(open, 4, [2, 3], 'WITHDRAWN');
	// Begins on the thirtieth day from now, at midnight in Vienna, is closed already, and not public.
	const soon = await event({
		...days('2026-10-15', '2026-10-16'),
		isPublic: false,
		category: 'CSN-A',
		entryDeadline: new Date('2026-09-10T21:59:00Z'),
		lateEntryUntil: null,
	});
	await enter(soon, 1, [0, 0], 'ACCEPTED');
	await event({
		...days('2026-10-16'),
		entriesOpenAt: new Date('2026-09-20T06:00:00Z'),
		category: 'CSN-A',
	});
	await event({ ...days('2026-09-15'), disciplines: ['DRIVING'] });
	await event({ ...days('2026-09-13', '2026-09-14') });
	const over = await event({ ...days('2026-01-01'), status: 'COMPLETED' });
	await enter(over, 1, [1, 2], 'ACCEPTED', 'LATE');
	await event({ ...days('2026-12-31'), status: 'DRAFT' });
	const cancelled = await event({ ...days('2026-10-01'), status: 'CANCELLED', cancelledReason: 'Regen' });
	await enter(cancelled, 1, [2, 3], 'CANCELLED');
	// Other years.
	await event({ ...days('2025-12-31', '2026-01-02') });
	const next = await event({ ...days('2027-01-01') });
	await enter(next, 1, [2, 3], 'ACCEPTED');
});

const someSnapshots = {
	statusReason: null,
	riderName: 'Eva Zügelbauer',
	riderClubId: null,
	riderClubName: null,
	riderNation: 'AT',
	riderAgeClasses: [],
	horseName: 'Lärchenglut',
	horseHeadNumber: null,
	horseBirthYear: 2016,
	horseSireName: null,
	horseKeeperIds: [],
	checks: '[]',
	amountDue: 0,
	enteredBy: 'd5000000-0000-4000-8000-000000000001',
};

async function stats(query = '', token: string | undefined = events.officer): Promise<EventStats> {
	const { status, data, text, headers } = await events.call<EventStats>('GET', path + query, { token });
	if (status !== 200) throw new Error(text);
	expect(headers.get('cache-control')).toBe('private, max-age=10');
	return data;
}

function months(year: number, counted: Record<string, number>) {
	const names = Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`);
	return names.map((month) => ({ month, count: counted[month] ?? 0 }));
}

function countOf({ byStatus }: EventStats, status: string): number | undefined {
	return byStatus.find((counted) => counted.status === status)?.count;
}

test('the year in numbers', async () => {
	expect(await stats()).toEqual({
		countedAt: expect.any(String),
		year: 2026,
		totalActive: 4,
		totalPublic: 6,
		byStatus: [
			{ status: 'DRAFT', count: 1 },
			{ status: 'SUBMITTED', count: 0 },
			{ status: 'RETURNED', count: 0 },
			{ status: 'PUBLISHED', count: 1 },
			{ status: 'REGISTRATION_OPEN', count: 1 },
			{ status: 'REGISTRATION_CLOSED', count: 1 },
			{ status: 'IN_PROGRESS', count: 1 },
			{ status: 'COMPLETED', count: 2 },
			{ status: 'CANCELLED', count: 1 },
		],
		byDiscipline: [
			{ discipline: 'DRESSAGE', count: 1 },
			{ discipline: 'DRIVING', count: 1 },
			{ discipline: 'JUMPING', count: 7 },
		],
		byCategory: [
			{ category: 'CSN-A', count: 2 },
			{ category: 'CSN-B', count: 6 },
		],
		byMonth: months(2026, { '2026-01': 1, '2026-09': 2, '2026-10': 4, '2026-12': 1 }),
		upcoming30Days: 1,
		entries: { total: 7, late: 2, withdrawn: 1, waitlisted: 1, pendingConfirmation: 0 },
		distinctRiders: 2,
		distinctHorses: 3,
	});
});

test('another year, and one without any', async () => {
	expect(await stats('?year=2027')).toMatchObject({
		totalActive: 1,
		byMonth: months(2027, { '2027-01': 1 }),
		upcoming30Days: 1,
		entries: { total: 1, late: 0, withdrawn: 0, waitlisted: 0 },
		distinctRiders: 1,
		distinctHorses: 1,
	});
	expect(await stats('?year=1999')).toMatchObject({
		totalActive: 0,
		totalPublic: 0,
		byDiscipline: [],
		byCategory: [],
		byMonth: months(1999, {}),
		entries: { total: 0 },
		distinctRiders: 0,
	});
	const { status } = await events.call('GET', `${path}?year=99`);
	expect(status).toBe(400);
});

test('counts the events that the caller may see', async () => {
	const { data: anonymous } = await events.call<EventStats>('GET', path);
	expect(anonymous).toMatchObject({
		totalActive: 3,
		totalPublic: 6,
		upcoming30Days: 0,
		entries: { total: 6 },
		distinctHorses: 3,
	});
	const seen = ['DRAFT', 'REGISTRATION_CLOSED', 'REGISTRATION_OPEN'].map((status) =>
		countOf(anonymous, status),
	);
	expect(seen).toEqual([0, 0, 1]);
	const member = await stats('', events.sign());
	expect([countOf(member, 'DRAFT'), countOf(member, 'REGISTRATION_CLOSED'), member.upcoming30Days]).toEqual([
		0, 1, 1,
	]);
	const organiser = events.sign({
		roles: ['ORGANISER'],
		roleScopes: { ORGANISER: { clubIds: [stage.clubId] } },
	});
	expect(countOf(await stats('', organiser), 'DRAFT')).toBe(1);
});

test('the events of a large registry are counted before their year begins, so that no caller waits at New Year', async () => {
	const id = await stage.event();
	await sql`alter table events disable trigger user, add column filler text`.execute(events.db);
	await sql`alter table events alter filler set storage external`.execute(events.db);
	await sql`update events set filler = repeat('x', 34000000) where id = ${id}`.execute(events.db);
	await countThisYear(events.db, new Date('2026-12-31T22:56:00Z'));
	const midnight = new Date('2026-12-31T23:00:01Z');
	const { countedAt } = await countEvents(events.db, 2027, { isSignedIn: true, clubs: [] }, midnight);
	expect(countedAt).toBe('2026-12-31T22:56:00.000Z');
});
