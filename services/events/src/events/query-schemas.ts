import {
	day,
	id,
	iso3166Part2,
	pageParameters,
	queryBoolean,
	searchText,
	sortParameter,
	whenValid,
} from '@paddock/service';
import { z } from 'zod';
import { discipline, eventFields, ruleset } from './schemas.ts';
import { eventStatus } from './view-schemas.ts';

export const stateCodeFilter = iso3166Part2.describe("ISO 3166-2 of the venue's state.");

const q = searchText.describe(
	'Part of the name, the number, the category, the venue, its city or the club. Words may be in any order. One or two characters are looked for at the beginning of words, a single one alone finds whole words. Matches at the beginning come first.',
);

const parameters = {
	from: day.optional().describe('Events that are not over before this day.'),
	to: day.optional().describe('Events that begin on this day at the latest.'),
	discipline: discipline.optional().describe('Events with this discipline.'),
	category: z.string().min(1).max(20).optional().describe('Events of this category, such as CSN-B.'),
	ruleset: ruleset.optional().describe('Events of this ruleset.'),
	stateCode: stateCodeFilter.optional(),
	organiserClubId: id.optional().describe('Events of this organising club, by UUID.'),
	venueId: id.optional().describe('Events at this venue, by UUID.'),
	status: eventStatus.optional().describe('Events in this status.'),
	openForEntry: queryBoolean.optional().describe('Whether the regular entry window is open now.'),
	sort: sortParameter([
		'startDate',
		'endDate',
		'entryDeadline',
		'name',
		'eventNumber',
		'category',
	]).optional(),
	...pageParameters,
};

const order = {
	path: ['to'],
	message: 'must not be before from',
	params: { code: 'INVALID_RANGE' },
	when: whenValid('from', 'to'),
};

type Days = { from?: string | undefined; to?: string | undefined };
const inOrder = ({ from, to }: Days) => from === undefined || to === undefined || from <= to;

/** All filters are combined with AND. */
export const eventQuery = z.strictObject({ ...parameters, q: q.optional() }).refine(inOrder, order);

export type EventQuery = z.output<typeof eventQuery>;

export const eventSearchQuery = z.strictObject({ ...parameters, q }).refine(inOrder, order);

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
