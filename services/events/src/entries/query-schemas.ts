import { id, pageParameters, queryBoolean, sortParameter } from '@paddock/service';
import { z } from 'zod';
import { entryStatus, entryType } from './schemas.ts';

const sort = sortParameter([
	'entryNumber',
	'createdAt',
	'position',
	'status',
	'riderName',
	'horseName',
]).optional();

const needsAttention = queryBoolean
	.optional()
	.describe('true: open entries that no longer fit their event, or could not be checked; false: all others.');

/** Query of the entries of one event. */
export const eventEntriesQuery = z.strictObject({
	status: entryStatus.optional().describe('Entries in this status.'),
	type: entryType.optional().describe('Entries of this type.'),
	competitionId: id.optional().describe('Entries with a start in this competition, by UUID.'),
	riderMemberId: id.optional().describe('Entries of this rider, by UUID of the member.'),
	horseId: id.optional().describe('Entries with this horse, by UUID.'),
	needsAttention,
	sort,
	...pageParameters,
});

export type EventEntriesQuery = z.output<typeof eventEntriesQuery>;

/** Query of entries across all events. */
export const entriesQuery = z.strictObject({
	memberId: id.optional().describe('Entries of this rider, by UUID of the member.'),
	clubId: id.optional().describe('Entries whose rider belonged to this club at entry, by UUID.'),
	status: entryStatus.optional().describe('Entries in this status.'),
	horseId: id.optional().describe('Entries with this horse, by UUID.'),
	open: queryBoolean
		.optional()
		.describe(
			'true: entries that have a place or wait for one at an event that is not over; false: all others.',
		),
	needsAttention,
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
			'comma if absent: RFC 4180 with a decimal point; semicolon: the form that spreadsheets in German-speaking countries open, with a decimal comma.',
		),
});
