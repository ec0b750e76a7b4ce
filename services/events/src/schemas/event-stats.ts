import { count, countsBy, queryInteger } from '@paddock/service';
import { z } from 'zod';
import { eventStatuses } from '../event-status.ts';
import { discipline } from './event-fields.ts';

export const statsQuery = z.strictObject({
	year: queryInteger(1900, 2199).optional().describe('Of the first day; the present year when left out.'),
});

/** Statistics of a year, over the events that the caller may see. */
export const eventStats = z
	.strictObject({
		year: z.int(),
		totalActive: count.describe('Published and not yet over.'),
		totalPublic: count.describe('Published, and shown without a sign-in.'),
		byStatus: countsBy('EventStatusCount', 'status', z.enum(eventStatuses)),
		byDiscipline: countsBy('DisciplineCount', 'discipline', discipline).describe(
			'An event counts in each of its disciplines; disciplines without an event are left out.',
		),
		byCategory: countsBy('CategoryCount', 'category', z.string()),
		byMonth: countsBy(
			'MonthCount',
			'month',
			z.string().describe('Year and month, such as 2026-01.'),
		).describe('All twelve months of the year, by first day.'),
		upcoming30Days: count.describe('Active ones that begin within 30 days from now, whatever the year.'),
		entries: z
			.strictObject({
				total: count.describe('All entries ever made, without unconfirmed ones.'),
				late: count,
				withdrawn: count,
				waitlisted: count,
				pendingConfirmation: count.describe('Waiting for the rider’s confirmation.'),
			})
			.meta({ id: 'EntryStats' }),
		distinctRiders: count.describe('With an entry that was not withdrawn, rejected or cancelled.'),
		distinctHorses: count,
	})
	.meta({
		id: 'EventStats',
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
