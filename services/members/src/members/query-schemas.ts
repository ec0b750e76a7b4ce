import {
	id,
	instant,
	iso3166Part2,
	isoAlpha2,
	isoDate,
	line,
	pageParameters,
	queryBoolean,
	queryInteger,
	searchText,
	sortParameter,
} from '@paddock/service';
import { z } from 'zod';
import { yearMax, yearMin } from '../codes.ts';
import { memberStatus, membershipType } from './schemas.ts';

const filters = {
	status: memberStatus.optional().describe('Members in this status.'),
	membershipType: membershipType.optional().describe('Members of this kind.'),
	clubId: id.optional().describe('Members of this home club, by UUID.'),
	includeInactive: queryBoolean
		.optional()
		.describe('Shows deleted members too, to the federation’s office only. INACTIVE as `status` implies it.'),
};

export const memberQuery = z.strictObject({
	...filters,
	stateCode: iso3166Part2.optional().describe('Of the address; ISO 3166-2.'),
	nationality: isoAlpha2.optional().describe('Members of this nationality, ISO 3166-1 alpha-2.'),
	feePaidForYear: queryInteger(yearMin, yearMax)
		.optional()
		.describe('Members whose last paid fee is that of this year.'),
	activeOnly: queryBoolean
		.optional()
		.describe('Default: true, or false if `status` or `includeInactive` selects others.'),
	duplicateSuspected: queryBoolean
		.optional()
		.describe('Records that may be duplicates; for the federation’s office only.'),
	updatedSince: instant.optional().describe('Changed at that instant or later.'),
	sort: sortParameter([
		'lastName',
		'firstName',
		'membershipNumber',
		'dateOfBirth',
		'joinDate',
		'createdAt',
		'updatedAt',
	]).optional(),
	...pageParameters,
});

export type MemberQuery = z.output<typeof memberQuery>;

export const memberSearchQuery = z.strictObject({
	q: searchText.describe(
		'Words of a name, an e-mail address or any number, in any order; each must be found. Case, diacritics and punctuation do not matter. One or two letters are looked for at the beginning of words, a single character alone finds whole words.',
	),
	...filters,
	...pageParameters,
});

export type MemberSearchQuery = z.output<typeof memberSearchQuery>;

/** Query of the create, replace and approve operations. */
export const duplicateQuery = z.strictObject({
	confirmDuplicate: queryBoolean
		.optional()
		.describe('True: it is not the member of the same name and birth date.'),
});

export type DuplicateQuery = z.output<typeof duplicateQuery>;

export const suspensionBody = z
	.strictObject({
		reason: line(1, 500).describe('Reason, for the office and the officials of the club.'),
		until: isoDate
			.nullable()
			.default(null)
			.describe('The last day, in Austria; absent = until further notice.'),
	})
	.meta({
		id: 'Suspension',
		description: 'Reason and end of a suspension.',
		example: { reason: 'Contribution unpaid for two years', until: null },
	});

export type Suspension = z.output<typeof suspensionBody>;
