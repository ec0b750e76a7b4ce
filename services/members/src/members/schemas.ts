import {
	day,
	familyName,
	givenNames,
	givenNamesBody,
	id,
	instant,
	isoAlpha2,
	isoDate,
	nullableEmailAddress,
	nullableLine,
	nullableParagraphs,
	pageSchema,
	recordTimes,
	renamed,
	version,
} from '@paddock/service';
import { z } from 'zod';
import { federationNumber, feiId, membershipNumber, yearMax, yearMin } from '../codes.ts';
import { address, emergencyContact, guardian, phone } from '../contact-schemas.ts';

const memberExample = {
	id: '1f0f6a53-7d0c-4d0f-9a63-0d7c7a1f9b21',
	membershipNumber: '19990007',
	federationNumber: '123456',
	feiId: null,
	title: null,
	firstName: 'Anna',
	lastName: 'Huber',
	dateOfBirth: '1994-06-21',
	gender: 'FEMALE' as const,
	nationality: 'AT',
	address: {
		street: 'Koppelweg 1',
		postalCode: '3499',
		city: 'Auwiesen an der Furt',
		stateCode: 'AT-3',
		countryCode: 'AT',
	},
	email: 'anna.huber@example.org',
	phoneNumber: '+436601234567',
	homeClubId: 'd1000000-0000-4000-8000-000000000001',
	membershipType: 'FULL' as const,
	joinDate: '2019-03-01',
	feePaidForYear: 2026,
	guardian: null,
	emergencyContact: { name: 'Karl Huber', relationship: 'father', phoneNumber: '+436607654321' },
	consents: {
		publishResults: { given: true, at: '2019-03-01T08:00:00.000Z' },
		newsletter: { given: false, at: null },
	},
	notes: null,
	duplicateSuspected: false,
	status: 'ACTIVE' as const,
	statusReason: null,
	suspendedUntil: null,
	createdAt: '2019-03-01T08:00:00.000Z',
	updatedAt: '2026-01-10T16:20:00.000Z',
	deletedAt: null,
	version: 4,
};

export const gender = z
	.enum(['FEMALE', 'MALE', 'DIVERSE', 'UNKNOWN'])
	.meta({ id: 'Gender', description: 'Gender; UNKNOWN if absent from a new record.' });
export const membershipType = z
	.enum(['FULL', 'YOUTH', 'HONORARY', 'ASSOCIATE'])
	.meta({ id: 'MembershipType', description: 'Kind of membership; FULL if absent from a new record.' });
export const memberStatus = z.enum(['PENDING', 'ACTIVE', 'SUSPENDED', 'INACTIVE']).meta({
	id: 'MemberStatus',
	description:
		'PENDING: awaits approval. SUSPENDED: may not compete for now. INACTIVE: deleted, and can be restored.',
});

export type MembershipType = z.output<typeof membershipType>;
export type MemberStatus = z.output<typeof memberStatus>;

const consent = z
	.strictObject({
		given: z.boolean().describe('Whether the consent is given.'),
		at: instant.nullable().describe('When it was last given or withdrawn, in UTC; null if it never was.'),
	})
	.meta({
		id: 'Consent',
		description: 'A consent under data protection law.',
		example: { given: true, at: '2026-02-01T09:30:00.000Z' },
	});

const consentChange = z
	.strictObject({
		given: z.boolean().describe('Whether the consent is given from now on.'),
		at: instant.nullable().optional().describe('Set by the server; may be repeated unchanged.'),
	})
	.meta({ id: 'ConsentChange', description: 'A consent, given or withdrawn.', example: { given: true } });

export const memberFields = {
	membershipNumber: membershipNumber.stored,
	federationNumber: federationNumber.nullableStored,
	feiId: feiId.nullableStored,
	title: nullableLine(40).describe('Academic or other title; null without one.'),
	firstName: givenNames,
	lastName: familyName,
	dateOfBirth: day.describe('Date of birth; in the past, at most 110 years ago.'),
	gender,
	nationality: isoAlpha2.describe('Nationality, ISO 3166-1 alpha-2.'),
	address: address.nullable(),
	email: nullableEmailAddress,
	phoneNumber: renamed(phone, 'phone'),
	homeClubId: id.nullable().describe('UUID of the home club; null without one.'),
	membershipType,
	joinDate: day.describe('First day of the membership.'),
	feePaidForYear: z
		.int()
		.min(yearMin)
		.max(yearMax)
		.nullable()
		.describe('Last year with a paid fee; null if there is none. Written by the office.'),
	guardian: guardian.nullable(),
	emergencyContact: emergencyContact.nullable(),
	consents: z.strictObject({ publishResults: consent, newsletter: consent }).meta({
		id: 'Consents',
		description:
			'Consents of the member or guardian: to results published under the member’s name, and to the newsletter.',
	}),
};

const notes = nullableParagraphs(5_000).describe('Notes of the federation’s office; null if there are none.');

export const member = z
	.strictObject({
		id,
		...memberFields,
		notes: notes.optional().describe('Shown to the federation’s office only.'),
		duplicateSuspected: z
			.boolean()
			.optional()
			.describe(
				'Whether a member of the same name and birth date existed whom the writer may not see. Shown to the federation’s office only; an approval or change with `confirmDuplicate=true` resets it.',
			),
		status: memberStatus,
		statusReason: z
			.string()
			.nullable()
			.optional()
			.describe('Why suspended, or DELETED. Shown to the office and to the officials of the club.'),
		suspendedUntil: isoDate
			.nullable()
			.describe('The last day of a suspension, in Austria; null = until further notice.'),
		...recordTimes,
		deletedAt: instant.nullable().describe('When the record was deleted, in UTC; null otherwise.'),
		version,
	})
	.meta({
		id: 'Member',
		description: 'A person in the federation, as far as the caller may see it.',
		example: memberExample,
	});

export type Member = z.output<typeof member>;

export type WholeMember = Member & {
	notes: string | null;
	statusReason: string | null;
	duplicateSuspected: boolean;
};

export const memberPage = pageSchema(member).meta({ id: 'MemberPage' });

/** Request body. `memberDefaults` determines the values of fields that are left out. */
export const memberBody = z
	.strictObject(memberFields)
	.partial()
	.extend({
		membershipNumber: membershipNumber.written
			.optional()
			.describe('Given by the office, or assigned: the next one of the home club.'),
		federationNumber: federationNumber.nullableWritten.optional(),
		feiId: feiId.nullableWritten.optional(),
		firstName: givenNamesBody.optional(),
		lastName: memberFields.lastName,
		dateOfBirth: memberFields.dateOfBirth,
		nationality: memberFields.nationality
			.optional()
			.describe('Nationality, ISO 3166-1 alpha-2; AT if absent.'),
		joinDate: memberFields.joinDate.optional().describe('Absent = today, and later as it was.'),
		consents: z
			.strictObject({ publishResults: consentChange, newsletter: consentChange })
			.meta({
				id: 'ConsentsChange',
				description: 'Consents; absent: none is given in a new record, and unchanged in a stored one.',
			})
			.optional(),
		notes: notes.optional(),
	})
	.meta({
		id: 'MemberBody',
		// A member of the same name and birth date would be a possible duplicate.
		'x-fresh-example': { lastName: 'Huber-?????', email: 'anna.huber.######@example.org' },
		description: 'Writable fields of a member.',
		example: {
			firstName: 'Anna',
			lastName: 'Huber',
			dateOfBirth: '1994-06-21',
			gender: 'FEMALE',
			nationality: 'AT',
			address: memberExample.address,
			email: 'anna.huber@example.org',
			phoneNumber: '+43 660 1234567',
			membershipType: 'FULL',
			feePaidForYear: 2026,
			consents: { publishResults: { given: true }, newsletter: { given: false } },
		},
	});

export type MemberBody = z.output<typeof memberBody>;

export type MemberFields = Pick<WholeMember, keyof typeof memberFields | 'notes'>;
