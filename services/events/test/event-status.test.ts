import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { dayAfter, startOfDay } from '@paddock/calendar';
import type { EventStatus, StoredStatus } from '../src/enumerations.ts';
import { openForEntry, shownStatus } from '../src/events/conditions.ts';
import { allowedSteps, entryWindow, eventStatus } from '../src/events/rules.ts';
import { setStage } from './stage.ts';
import { useEvents } from './use-events.ts';

const { events } = useEvents();

/** From Friday to Sunday; clocks go back in the night to Sunday. */
const startDate = '2026-10-23';
const endDate = '2026-10-25';
const vienna = {
	zone: 'Europe/Vienna',
	entriesOpenAt: '2026-09-01T06:00:00Z',
	entryDeadline: '2026-10-12T21:59:00Z',
	lateEntryUntil: '2026-10-19T21:59:00Z',
};
const withoutLate = { ...vienna, lateEntryUntil: null };
const openAtOnce = { ...vienna, entriesOpenAt: null };
/** Entries until the last evening, which is after the change. */
const openTillEnd = { ...vienna, entryDeadline: '2026-10-25T22:59:00Z', lateEntryUntil: null };
const newYork = { ...vienna, zone: 'America/New_York' };

type Times = Omit<typeof vienna, 'entriesOpenAt' | 'lateEntryUntil'> & {
	entriesOpenAt: string | null;
	lateEntryUntil: string | null;
};
type Case = readonly [string, StoredStatus, Times, string, EventStatus, boolean];

const cases: readonly Case[] = [
	['a draft is one whatever the day', 'DRAFT', vienna, '2026-10-24T12:00:00Z', 'DRAFT', false],
	['cancelled stays cancelled', 'CANCELLED', vienna, '2026-10-01T12:00:00Z', 'CANCELLED', false],
	['completed stays completed', 'COMPLETED', vienna, '2026-10-24T12:00:00Z', 'COMPLETED', false],
	['before entries open', 'PUBLISHED', vienna, '2026-09-01T05:59:59.999Z', 'PUBLISHED', false],
	['when they open', 'PUBLISHED', vienna, '2026-09-01T06:00:00Z', 'REGISTRATION_OPEN', true],
	['open at once', 'PUBLISHED', openAtOnce, '2026-08-01T06:00:00Z', 'REGISTRATION_OPEN', true],
	['at 23:59 in Vienna, in summer', 'PUBLISHED', vienna, '2026-10-12T21:59:00Z', 'REGISTRATION_OPEN', true],
	['a moment later', 'PUBLISHED', vienna, '2026-10-12T21:59:00.001Z', 'REGISTRATION_CLOSED', false],
	['late entries only', 'PUBLISHED', vienna, '2026-10-19T21:59:00Z', 'REGISTRATION_CLOSED', false],
	['no late entries', 'PUBLISHED', withoutLate, '2026-10-15T00:00:00Z', 'REGISTRATION_CLOSED', false],
	['the last moment before', 'PUBLISHED', vienna, '2026-10-22T21:59:59.999Z', 'REGISTRATION_CLOSED', false],
	['midnight in Vienna', 'PUBLISHED', vienna, '2026-10-22T22:00:00Z', 'IN_PROGRESS', false],
	['Sunday 23:59 in Vienna', 'PUBLISHED', openTillEnd, '2026-10-25T22:59:00Z', 'IN_PROGRESS', true],
	['Sunday 23:59:30', 'PUBLISHED', openTillEnd, '2026-10-25T22:59:30Z', 'IN_PROGRESS', false],
	['the last moment', 'PUBLISHED', vienna, '2026-10-25T22:59:59.999Z', 'IN_PROGRESS', false],
	['Monday in Vienna', 'PUBLISHED', vienna, '2026-10-25T23:00:00Z', 'COMPLETED', false],
	['midnight elsewhere is later', 'PUBLISHED', newYork, '2026-10-23T03:59:59Z', 'REGISTRATION_CLOSED', false],
	['midnight in New York', 'PUBLISHED', newYork, '2026-10-23T04:00:00Z', 'IN_PROGRESS', false],
	['Monday in New York', 'PUBLISHED', newYork, '2026-10-26T04:00:00Z', 'COMPLETED', false],
];

function timesOf({ zone, entriesOpenAt, entryDeadline, lateEntryUntil }: Times) {
	const instant = (text: string | null) => (text === null ? null : new Date(text));
	return {
		entriesOpenAt: instant(entriesOpenAt),
		entryDeadline: instant(entryDeadline),
		lateEntryUntil: instant(lateEntryUntil),
		startsAt: startOfDay(zone, startDate),
		endsAt: startOfDay(zone, dayAfter(endDate)),
	};
}

describe.each(cases)('%s', (_name, stored, times, at, shown, open) => {
	const now = new Date(at);

	test('the rule', () => {
		const event = { ...timesOf(times), status: stored, approval: null };
		expect(eventStatus(event, now)).toBe(shown);
		expect(entryWindow(event, now) === 'REGULAR').toBe(open);
	});

	test('says the same in SQL', async () => {
		const instants = timesOf(times);
		const id = await setStage(events).event({
			eventNumber: String(Math.floor(Math.random() * 90_000) + 10_000),
			organiserClubId: randomUUID(),
			status: stored,
			cancelledReason: stored === 'CANCELLED' ? 'Regen' : null,
			startDate,
			endDate,
			entriesOpenAt: instants.entriesOpenAt,
			entryDeadline: instants.entryDeadline,
			lateEntryUntil: instants.lateEntryUntil,
		});
		await events.db
			.updateTable('events')
			.set({ startsAt: instants.startsAt, endsAt: instants.endsAt })
			.where('id', '=', id)
			.execute();
		const row = await events.db
			.selectFrom('events')
			.select([shownStatus(now).as('shown'), openForEntry(now).as('open')])
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		expect(row).toEqual({ shown, open });
		await events.db.deleteFrom('events').where('id', '=', id).execute();
	});
});

test.each([
	['DRAFT', 'DRAFT', ['SUBMITTED', 'PUBLISHED']],
	['DRAFT', 'SUBMITTED', ['DRAFT', 'RETURNED', 'PUBLISHED']],
	['DRAFT', 'RETURNED', ['SUBMITTED', 'PUBLISHED']],
	['PUBLISHED', 'PUBLISHED', ['CANCELLED']],
	['PUBLISHED', 'REGISTRATION_OPEN', ['CANCELLED']],
	['PUBLISHED', 'REGISTRATION_CLOSED', ['CANCELLED']],
	['PUBLISHED', 'IN_PROGRESS', ['COMPLETED', 'CANCELLED']],
	['PUBLISHED', 'COMPLETED', ['COMPLETED']],
	['COMPLETED', 'COMPLETED', []],
	['CANCELLED', 'CANCELLED', []],
] as const)('stored as %s and shown as %s an event goes on to %j', (stored, shown, allowed) => {
	expect(allowedSteps(stored, shown)).toEqual(allowed);
});
