import {
	collectionParameters,
	filterValues,
	id,
	iso3166Part2,
	isoAlpha2,
	isoDate,
	line,
	queryBoolean,
	queryInteger,
	renamed,
	searchText,
	superseded,
} from '@paddock/service';
import { z } from 'zod';
import { yearMax, yearMin } from '../codes.ts';
import { memberStatus, membershipType } from './schemas.ts';

const filters = {
	status: filterValues(memberStatus)
		.optional()
		.describe(
			'Members in these statuses. INACTIVE selects deleted members, for the federation’s office only. If absent: ACTIVE in the list, all but INACTIVE in the search.',
		),
	membershipType: filterValues(membershipType).optional().describe('Members of these kinds.'),
	clubId: filterValues(id).optional().describe('Members of these home clubs, by UUID.'),
	includeInactive: superseded(
		queryBoolean.optional(),
		'true: members in any status, unless `status` selects some. Use `status`.',
	),
};

const collection = collectionParameters({
	of: 'Member',
	text: 'Words of a name, an e-mail address or any number; each must be found.',
	sort: ['lastName', 'firstName', 'membershipNumber', 'dateOfBirth', 'joinDate'],
});
const { q: _optional, ...pages } = collection;

export const memberQuery = z.strictObject({
	...filters,
	stateCode: filterValues(iso3166Part2).optional().describe('States of the address, ISO 3166-2.'),
	nationality: filterValues(isoAlpha2)
		.optional()
		.describe('Members of these nationalities, ISO 3166-1 alpha-2.'),
	feePaidForYear: queryInteger(yearMin, yearMax)
		.optional()
		.describe('Members whose last paid fee is that of this year.'),
	activeOnly: superseded(
		queryBoolean.optional(),
		'true: ACTIVE members only; false: all but INACTIVE ones, unless `status` selects some. Use `status`.',
	),
	duplicateSuspected: queryBoolean
		.optional()
		.describe('Records that may be duplicates; for the federation’s office only.'),
	...collection,
});

export type MemberQuery = z.output<typeof memberQuery>;

export const memberSearchQuery = z.strictObject({
	q: searchText.describe(
		'Words of a name, an e-mail address or any number, in any order; each must be found. Case, diacritics and punctuation do not matter. One or two letters are looked for at the beginning of words, a single character alone finds whole words.',
	),
	...filters,
	...pages,
});

export type MemberSearchQuery = z.output<typeof memberSearchQuery>;

export const duplicateQuery = z.strictObject({
	confirmDuplicate: queryBoolean
		.optional()
		.describe('True: it is not the member of the same name and birth date.'),
});

export type DuplicateQuery = z.output<typeof duplicateQuery>;

export const suspensionBody = z
	.strictObject({
		statusReason: renamed(
			line(1, 500).describe('Reason, for the office and the officials of the club.'),
			'reason',
		),
		suspendedUntil: renamed(
			isoDate.nullable().default(null).describe('The last day, in Austria; absent = until further notice.'),
			'until',
		),
	})
	.meta({
		id: 'Suspension',
		description: 'Reason and end of a suspension.',
		example: { statusReason: 'Contribution unpaid for two years', suspendedUntil: null },
	});

export type Suspension = z.output<typeof suspensionBody>;
