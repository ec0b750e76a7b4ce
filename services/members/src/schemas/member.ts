import {
	day,
	id,
	instant,
	isoAlpha2,
	isoDate,
	line,
	nullableEmailAddress,
	nullableLine,
	pageSchema,
	paragraphs,
	version,
} from '@paddock/service';
import { z } from 'zod';
import { federationNumber, feiId, membershipNumber, yearMax, yearMin } from './codes.ts';
import { address, emergencyContact, guardian, phone } from './contact.ts';
import { memberExample } from './member-example.ts';

export const gender = z.enum(['FEMALE', 'MALE', 'DIVERSE', 'UNKNOWN']);
export const membershipType = z.enum(['FULL', 'YOUTH', 'HONORARY', 'ASSOCIATE']);
export const memberStatus = z.enum(['PENDING', 'ACTIVE', 'SUSPENDED', 'INACTIVE']);

export type Gender = z.output<typeof gender>;
export type MembershipType = z.output<typeof membershipType>;
export type MemberStatus = z.output<typeof memberStatus>;

const consent = z
	.strictObject({
		given: z.boolean(),
		at: instant.nullable().describe('When it was last given or withdrawn.'),
	})
	.meta({ id: 'Consent', example: { given: true, at: '2026-02-01T09:30:00.000Z' } });

const consentChange = z
	.strictObject({
		given: z.boolean(),
		at: instant.nullable().optional().describe('Set by the server; may be repeated unchanged.'),
	})
	.meta({ id: 'ConsentChange', example: { given: true } });

const notesLengthMax = 5_000;

/** Writable fields of a member, in display order. */
export const memberFields = {
	membershipNumber: membershipNumber.describe('The number of a club and four digits; unique for ever.'),
	federationNumber: federationNumber.nullable(),
	feiId: feiId.nullable(),
	title: nullableLine(1, 40),
	firstName: line(1, 100),
	lastName: line(1, 100),
	dateOfBirth: day,
	gender,
	nationality: isoAlpha2.describe('ISO 3166-1 alpha-2.'),
	address: address.nullable(),
	email: nullableEmailAddress,
	phone,
	homeClubId: id.nullable(),
	membershipType,
	joinDate: day,
	feePaidForYear: z.int().min(yearMin).max(yearMax).nullable(),
	guardian: guardian.nullable(),
	emergencyContact: emergencyContact.nullable(),
	consents: z.strictObject({ publishResults: consent, newsletter: consent }),
};

const notes = paragraphs(1, notesLengthMax)
	.nullable()
	.meta({ type: 'string', minLength: 1, maxLength: notesLengthMax, nullable: true });

/** A person in the federation, as far as the caller may see it. */
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
		createdAt: instant,
		updatedAt: instant,
		deletedAt: instant.nullable(),
		version,
	})
	.meta({ id: 'Member', example: memberExample });

export type Member = z.output<typeof member>;

/** A member with all stored fields. */
export type WholeMember = Member & {
	notes: string | null;
	statusReason: string | null;
	duplicateSuspected: boolean;
};

export const memberPage = pageSchema(member).meta({ id: 'MemberPage' });

/** Fields of a member that only the server sets. */
export const serverOwnedMemberFields = [
	'id',
	'duplicateSuspected',
	'status',
	'statusReason',
	'suspendedUntil',
	'createdAt',
	'updatedAt',
	'deletedAt',
	'version',
] as const satisfies (keyof Member)[];

/** Request body. `memberDefaults` determines the values of fields that are left out. */
export const memberBody = z
	.strictObject({
		membershipNumber: memberFields.membershipNumber
			.optional()
			.describe('Given by the office, or assigned: the next one of the home club.'),
		federationNumber: memberFields.federationNumber.optional(),
		feiId: memberFields.feiId.optional(),
		title: memberFields.title.optional(),
		firstName: memberFields.firstName,
		lastName: memberFields.lastName,
		dateOfBirth: memberFields.dateOfBirth,
		gender: gender.optional().describe('Absent = UNKNOWN.'),
		nationality: memberFields.nationality.optional().describe('ISO 3166-1 alpha-2. Absent = AT.'),
		address: memberFields.address.optional(),
		email: nullableEmailAddress.optional(),
		phone: phone.optional(),
		homeClubId: memberFields.homeClubId.optional(),
		membershipType: membershipType.optional().describe('Absent = FULL.'),
		joinDate: memberFields.joinDate.optional().describe('Absent = today, and later as it was.'),
		feePaidForYear: memberFields.feePaidForYear.optional(),
		guardian: memberFields.guardian.optional(),
		emergencyContact: memberFields.emergencyContact.optional(),
		consents: z
			.strictObject({ publishResults: consentChange, newsletter: consentChange })
			.optional()
			.describe('Absent = none is given, and later as they were.'),
		notes: notes.optional(),
	})
	.meta({
		id: 'MemberBody',
		example: {
			firstName: 'Anna',
			lastName: 'Huber',
			dateOfBirth: '1994-06-21',
			gender: 'FEMALE',
			nationality: 'AT',
			address: memberExample.address,
			email: 'anna.huber@example.org',
			phone: '+43 660 1234567',
			membershipType: 'FULL',
			feePaidForYear: 2026,
			consents: { publishResults: { given: true }, newsletter: { given: false } },
		},
	});

export type MemberBody = z.output<typeof memberBody>;

/** All writable fields of a member. */
export type MemberFields = Pick<WholeMember, keyof typeof memberFields | 'notes'>;
