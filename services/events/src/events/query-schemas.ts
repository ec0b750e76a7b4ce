import {
	collectionParameters,
	day,
	filterValues,
	id,
	iso3166Part2,
	queryBoolean,
	searchText,
	whenValid,
} from '@paddock/service';
import { z } from 'zod';
import { discipline, eventFields, ruleset } from './schemas.ts';
import { eventStatus } from './view-schemas.ts';

export const stateCodeFilter = iso3166Part2.describe("ISO 3166-2 of the venue's state.");

const collection = collectionParameters({
	of: 'Event',
	text: 'Part of the name, the number, the category, the venue, its city or the club; matches at the beginning come first.',
	sort: ['startDate', 'endDate', 'entryDeadline', 'name', 'eventNumber', 'category'],
});

const parameters = {
	from: day.optional().describe('Events that are not over before this day.'),
	to: day.optional().describe('Events that begin on this day at the latest.'),
	discipline: filterValues(discipline).optional().describe('Events with one of these disciplines.'),
	category: filterValues(z.string().min(1).max(20))
		.optional()
		.describe('Events of these categories, such as CSN-B.'),
	ruleset: filterValues(ruleset).optional().describe('Events of these rulesets.'),
	stateCode: filterValues(iso3166Part2).optional().describe('States of the venue, ISO 3166-2.'),
	organiserClubId: filterValues(id).optional().describe('Events of these organising clubs, by UUID.'),
	venueId: filterValues(id).optional().describe('Events at these venues, by UUID.'),
	status: filterValues(eventStatus).optional().describe('Events in these statuses.'),
	openForEntry: queryBoolean.optional().describe('Whether the regular entry window is open now.'),
	...collection,
};

const order = {
	path: ['to'],
	message: 'must not be before from',
	params: { code: 'INVALID_RANGE' },
	when: whenValid('from', 'to'),
};

type Days = { from?: string | undefined; to?: string | undefined };
const inOrder = ({ from, to }: Days) => from === undefined || to === undefined || from <= to;

export const eventQuery = z.strictObject(parameters).refine(inOrder, order);

export type EventQuery = z.output<typeof eventQuery>;

export const eventSearchQuery = z
	.strictObject({ ...parameters, q: searchText.describe('As in the list; required.') })
	.refine(inOrder, order);

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
