import { id, pageParameters, queryBoolean, sortParameter } from '@paddock/service';
import { z } from 'zod';
import { entryStatus } from './entry.ts';
import { entryType } from './entry-body.ts';

export const entrySortFields = [
	'entryNumber',
	'createdAt',
	'position',
	'status',
	'riderName',
	'horseName',
] as const;

const sort = sortParameter(entrySortFields).optional();

/** Query of the entries of one event. */
export const eventEntriesQuery = z.strictObject({
	status: entryStatus.optional().describe('Those in this status.'),
	type: entryType.optional(),
	competitionId: id.optional().describe('Those with a start in it.'),
	riderMemberId: id.optional(),
	horseId: id.optional(),
	sort,
	...pageParameters,
});

export type EventEntriesQuery = z.output<typeof eventEntriesQuery>;

/** Query of entries across all events. */
export const entriesQuery = z.strictObject({
	memberId: id.optional().describe('Those in which the member rides.'),
	clubId: id.optional().describe('Those whose rider belonged to the club at entry.'),
	status: entryStatus.optional().describe('Those in this status.'),
	horseId: id.optional(),
	open: queryBoolean
		.optional()
		.describe(
			'true: those that have a place or wait for one at an event that is not over; false: all others.',
		),
	sort,
	...pageParameters,
});

export type EntriesQuery = z.output<typeof entriesQuery>;

/** Field separator of the file. */
export const entriesFileQuery = z.strictObject({
	separator: z
		.enum(['comma', 'semicolon'], 'must be comma or semicolon')
		.optional()
		.describe(
			'comma when left out (RFC 4180); semicolon is what Excel opens by itself in German-speaking countries.',
		),
});

export type EntriesFileQuery = z.output<typeof entriesFileQuery>;
