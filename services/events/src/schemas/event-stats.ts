import { queryInteger } from '@paddock/service';
import { z } from 'zod';
import { eventStatuses } from '../event-status.ts';

export const statsQuery = z.strictObject({
	year: queryInteger(1900, 2199).optional().describe('Of the first day; the present year when left out.'),
});

const count = z.int().min(0);
const byStatus = Object.fromEntries(eventStatuses.map((status) => [status, count])) as Record<
	(typeof eventStatuses)[number],
	typeof count
>;

/** Statistics of a year, over the events that the caller may see. */
export const eventStats = z
	.strictObject({
		year: z.int(),
		totalActive: count.describe('Published and not yet over.'),
		totalPublic: count.describe('Published, and shown without a sign-in.'),
		byStatus: z.strictObject(byStatus).meta({ id: 'EventsByStatus' }),
		byDiscipline: z.record(z.string(), count).describe('An event counts in each of its disciplines.'),
		byCategory: z.record(z.string(), count),
		byMonth: z.record(z.string(), count).describe('All twelve months, 2026-01 and so on, by first day.'),
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
			byStatus: {
				DRAFT: 2,
				PUBLISHED: 3,
				REGISTRATION_OPEN: 8,
				REGISTRATION_CLOSED: 2,
				IN_PROGRESS: 1,
				COMPLETED: 15,
				CANCELLED: 1,
			},
			byDiscipline: { DRESSAGE: 12, JUMPING: 24 },
			byCategory: { 'CDN-A*': 8, 'CSN-B': 24 },
			byMonth: Object.fromEntries(
				[0, 0, 1, 3, 5, 6, 5, 4, 4, 3, 1, 0].map((events, index) => [
					`2026-${String(index + 1).padStart(2, '0')}`,
					events,
				]),
			),
			upcoming30Days: 4,
			entries: { total: 1204, late: 61, withdrawn: 88, waitlisted: 12, pendingConfirmation: 5 },
			distinctRiders: 410,
			distinctHorses: 622,
		},
	});

export type EventStats = z.output<typeof eventStats>;
