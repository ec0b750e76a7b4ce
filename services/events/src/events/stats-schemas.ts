import { count, countsBy, queryInteger } from '@paddock/service';
import { z } from 'zod';
import { discipline } from './event-fields.ts';
import { eventStatus } from './event-schemas.ts';

export const statsQuery = z.strictObject({
	year: queryInteger(1900, 2199).optional().describe('Year of the first day; the present year if absent.'),
});

export const eventStats = z
	.strictObject({
		year: z.int().describe('Year of the first day of the counted events.'),
		totalActive: count.describe('Events that are published and not over.'),
		totalPublic: count.describe('Published events that are shown without a sign-in.'),
		byStatus: countsBy('EventStatusCount', 'status', eventStatus).describe('By status.'),
		byDiscipline: countsBy('DisciplineCount', 'discipline', discipline).describe(
			'An event counts in each of its disciplines; disciplines without an event are left out.',
		),
		byCategory: countsBy(
			'CategoryCount',
			'category',
			z.string().describe('Category, such as CSN-B.'),
		).describe('By category.'),
		byMonth: countsBy(
			'MonthCount',
			'month',
			z.string().describe('Year and month, such as 2026-01.'),
		).describe('All twelve months of the year, by first day.'),
		upcoming30Days: count.describe('Active events that begin within 30 days from now, in any year.'),
		entries: z
			.strictObject({
				total: count.describe('All entries ever made, except unconfirmed ones.'),
				late: count.describe('Late entries.'),
				withdrawn: count.describe('Withdrawn entries.'),
				waitlisted: count.describe('Entries on a waiting list.'),
				pendingConfirmation: count.describe('Entries that wait for a confirmation.'),
			})
			.meta({ id: 'EntryStats', description: 'Numbers of entries.' }),
		distinctRiders: count.describe('Riders with an entry that was not withdrawn, rejected or cancelled.'),
		distinctHorses: count.describe('Horses with such an entry.'),
	})
	.meta({
		id: 'EventStats',
		description: 'Numbers of a year, over the events that the caller may see.',
		example: {
			year: 2026,
			totalActive: 14,
			totalPublic: 30,
			byStatus: [
				{ status: 'REGISTRATION_OPEN', count: 8 },
				{ status: 'COMPLETED', count: 15 },
			],
			byDiscipline: [
				{ discipline: 'DRESSAGE', count: 12 },
				{ discipline: 'JUMPING', count: 24 },
			],
			byCategory: [
				{ category: 'CDN-A*', count: 8 },
				{ category: 'CSN-B', count: 24 },
			],
			byMonth: [{ month: '2026-04', count: 3 }],
			upcoming30Days: 4,
			entries: { total: 1204, late: 61, withdrawn: 88, waitlisted: 12, pendingConfirmation: 5 },
			distinctRiders: 410,
			distinctHorses: 622,
		},
	});

export type EventStats = z.output<typeof eventStats>;
