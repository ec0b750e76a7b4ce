import { day, id } from '@paddock/service';
import { z } from 'zod';
import { eventFields } from './event-fields.ts';

const { startDate, endDate, entriesOpenAt, entryDeadline, lateEntryUntil } = eventFields;

const competitions = z
	.array(
		z
			.strictObject({
				competitionId: id.describe('UUID of a competition of the event.'),
				date: day.describe('Its day, one of the event.'),
			})
			.meta({ id: 'CompetitionDate', description: 'The new day of one competition.' }),
	)
	.max(999)
	.refine(
		(list) => new Set(list.map(({ competitionId }) => competitionId)).size === list.length,
		'must name each competition once',
	)
	.meta({ uniqueItems: true });

/** Request body. A field that is absent moves by as many days as `startDate`. */
export const eventMove = z
	.strictObject({
		startDate: startDate.describe('New first day, in the time zone of the venue; not in the past.'),
		endDate: endDate.optional().describe('New last day; absent = the event lasts as many days as before.'),
		entriesOpenAt: entriesOpenAt
			.optional()
			.describe(
				'First instant for entries; absent = unchanged if it has passed, otherwise as many days before the event as now, at the same local time.',
			),
		entryDeadline: entryDeadline
			.optional()
			.describe(
				'Last instant for entries; absent = as many days before the event as now, at the same local time.',
			),
		lateEntryUntil: lateEntryUntil.optional().describe('Last instant for late entries; absent = likewise.'),
		competitions: competitions
			.optional()
			.describe('New days of single competitions; all others move with the event.'),
	})
	.meta({
		id: 'EventMove',
		description: 'New dates of an event.',
		example: { startDate: '2031-02-21' },
	});

export type EventMove = z.output<typeof eventMove>;
