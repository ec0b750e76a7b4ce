import {
	collectionParameters,
	day,
	filterValues,
	id,
	identifier,
	instant,
	isoDate,
	pageSchema,
	paragraphs,
	recordTimes,
	version,
} from '@paddock/service';
import { z } from 'zod';
import { linkStatuses, relationships } from '../database-schema.ts';

const relationship = z.enum(relationships).meta({
	id: 'MemberRelationship',
	description:
		'SELF: the account belongs to the member, at most one for each. GUARDIAN: acts for a member under 18, as the member. CLUB_CONTACT: enters a member of the club at events, and reads these entries.',
});

const linkStatus = z.enum(linkStatuses).meta({
	id: 'MemberLinkStatus',
	description:
		'REQUESTED: not decided; it lapses after 30 days. CONFIRMED: the account acts for the member. DECLINED, ENDED: it does not.',
});

/** As in the members context. */
const membershipNumber = identifier(
	[
		['[1-9]', 1],
		['\\d', 7],
	],
	{ message: 'must be eight digits, the first not 0', description: 'Membership number: eight digits.' },
);

export const claimBody = z
	.strictObject({
		relationship,
		membershipNumber: membershipNumber.written,
		dateOfBirth: day.describe('Date of birth of the member.'),
	})
	.meta({
		id: 'MemberClaim',
		description: 'The member for whom the account is to act.',
		example: { relationship: 'GUARDIAN', membershipNumber: '19990007', dateOfBirth: '2014-05-02' },
	});

export type ClaimBody = z.output<typeof claimBody>;

const linkFields = {
	id,
	relationship,
	status: linkStatus,
	membershipNumber: z
		.string()
		.nullable()
		.describe('Membership number as stated in the request; null for a link that the office made.'),
	dateOfBirth: isoDate.nullable().describe('Date of birth as stated in the request; null without one.'),
	memberId: id.nullable().describe('UUID of the member; null unless the link was confirmed.'),
	holdsUntil: instant
		.nullable()
		.describe('When a guardianship ends, in UTC: the 18th birthday of the member. Null for others.'),
	reason: z.string().nullable().describe('Why it was declined or ended; null if not stated.'),
	decidedAt: instant.nullable().describe('When it was confirmed or declined, in UTC; null before.'),
	endedAt: instant.nullable().describe('When it ended or lapsed, in UTC; null before.'),
	...recordTimes,
	version,
};

const example = {
	id: '4b1f6a52-7c0e-4f3f-9f6d-1d2c3b4a5968',
	relationship: 'GUARDIAN' as const,
	status: 'CONFIRMED' as const,
	membershipNumber: '19990007',
	dateOfBirth: '2014-05-02',
	memberId: '0b9f3f55-1f0c-4f7e-9d7c-1f2e3d4c5b6a',
	holdsUntil: '2032-05-01T22:00:00.000Z',
	reason: null,
	decidedAt: '2026-05-02T08:00:00.000Z',
	endedAt: null,
	createdAt: '2026-05-01T10:00:00.000Z',
	updatedAt: '2026-05-02T08:00:00.000Z',
	version: 2,
};

export const memberLink = z.strictObject(linkFields).meta({
	id: 'MemberLink',
	description: 'A link between the caller’s account and a member, or the request for one.',
	example,
});

export type MemberLink = z.output<typeof memberLink>;

const linkedPerson = z
	.strictObject({
		id,
		membershipNumber: z.string().describe('Membership number.'),
		name: z.string().describe('Full name.'),
		dateOfBirth: isoDate.describe('Date of birth.'),
		homeClubId: id.nullable().describe('UUID of the home club; null without one.'),
	})
	.meta({ id: 'LinkedMember', description: 'The member of a link.' });

const linkingAccount = z
	.strictObject({
		userId: id.describe('UUID of the account.'),
		name: z.string().describe('Full name of its owner.'),
		email: z.string().describe('E-mail address.'),
	})
	.meta({ id: 'LinkingAccount', description: 'The account of a link.' });

/** The same link as officials and the office read it. */
export const linkRequest = z
	.strictObject({
		...linkFields,
		account: linkingAccount,
		member: linkedPerson
			.nullable()
			.describe('The member whose number and birth date were stated; null if there is none.'),
		decidedBy: id.nullable().describe('UUID of the account that confirmed or declined it.'),
		endedBy: id.nullable().describe('UUID of the account that ended it.'),
	})
	.meta({
		id: 'MemberLinkRequest',
		description: 'A link between an account and a member, for those who decide on it.',
		example: {
			...example,
			account: {
				userId: '6f1c9c0e-2b1d-4c58-9c0a-52a3a5a0c7d1',
				name: 'Anna Huber',
				email: 'anna.huber@example.org',
			},
			member: {
				id: '0b9f3f55-1f0c-4f7e-9d7c-1f2e3d4c5b6a',
				membershipNumber: '19990007',
				name: 'Mia Huber',
				dateOfBirth: '2014-05-02',
				homeClubId: '2c9a4f70-3d2e-4b1a-8f6e-5d4c3b2a1908',
			},
			decidedBy: '9e3f405c-6d7e-4f80-8192-a3b4c5d6e7f8',
			endedBy: null,
		},
	});

export type LinkRequest = z.output<typeof linkRequest>;

export const memberLinkPage = pageSchema(memberLink).meta({ id: 'MemberLinkPage' });
export const linkRequestPage = pageSchema(linkRequest).meta({ id: 'MemberLinkRequestPage' });

const filters = { status: filterValues(linkStatus).optional().describe('Links in one of these statuses.') };

export const linkQuery = z.strictObject({
	...filters,
	...collectionParameters({ of: 'MemberLink', text: 'Part of the stated membership number.', sort: [] }),
});

export const linkRequestQuery = z.strictObject({
	...filters,
	clubId: filterValues(id).optional().describe('Links to members of these clubs.'),
	...collectionParameters({
		of: 'MemberLinkRequest',
		text: 'Parts of the name or e-mail address of the account, or of the stated membership number.',
		sort: [],
	}),
});

export type LinkQuery = z.output<typeof linkQuery>;
export type LinkRequestQuery = z.output<typeof linkRequestQuery>;

export const reasonBody = z
	.strictObject({ reason: paragraphs(1, 500).describe('Shown to the owner of the account.') })
	.meta({
		id: 'MemberLinkReason',
		description: 'Why a request is declined or a link ended.',
		example: { reason: 'Please call at the club’s office with your identity card.' },
	});

export const endBody = z
	.strictObject({
		reason: paragraphs(1, 500)
			.nullable()
			.describe('Shown to the owner of the account; null by the owner only.'),
	})
	.meta({
		id: 'MemberLinkEnd',
		description: 'Why a link is ended.',
		example: { reason: 'The guardianship has passed to the other parent.' },
	});
