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
import { discipline, ruleset } from './event-fields.ts';
import { eventStatus } from './event-schemas.ts';

export const stateCodeFilter = iso3166Part2.describe("ISO 3166-2 of the venue's state.");

const q = searchText.describe(
	'Part of the name, the number, the category, the venue, its city or the club. Words may be in any order; a single character finds whole words. Matches at the beginning come first.',
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
