import { demoClubs } from '@paddock/demo';
import { roles } from '@paddock/identity';
import {
	collectionParameters,
	emailAddress,
	familyName,
	filterValues,
	givenNamesBody,
	id,
	instant,
	line,
	recordTimes,
	uniqueItems,
	version,
	withInstants,
} from '@paddock/service';
import { phoneNumber } from '@paddock/service/phone-number';
import { z } from 'zod';
import { userStatuses } from '../database-schema.ts';
import { mailCategories } from '../mails/categories.ts';
import type { User } from './store.ts';

export const role = z
	.enum(roles)
	.meta({ id: 'Role', description: 'Role of an account; CLUB_OFFICIAL and ORGANISER cover single clubs.' });

const userStatus = z.enum(userStatuses).meta({
	id: 'UserStatus',
	description: 'Only ACTIVE accounts sign in. CLOSED is final for the sessions of the account.',
});

/** Scope of roles that are limited to clubs; the other roles are the federation's or apply to all accounts. */
const scope = z
	.strictObject({ clubIds: z.array(z.uuid()).describe('UUIDs of the clubs that the role covers.') })
	.meta({ id: 'RoleScope', description: 'Clubs of one role; absent if it covers none.' })
	.optional();

const roleScopes = z
	.strictObject({ CLUB_OFFICIAL: scope, ORGANISER: scope })
	.meta({ id: 'RoleScopes', description: 'Clubs by role; a role without an entry covers none.' });

const mailCategory = z.enum(mailCategories).meta({
	id: 'MailCategory',
	description:
		'Kind of mails: about entries, about events that one organises, about horses and their owners, about the membership, or reminders of deadlines.',
});

/** Response of every route that returns an account. Never contains the password in any form. */
export const userSchema = z
	.strictObject({
		id: z.uuid().describe('UUID of the account, the `sub` claim of its tokens.'),
		email: z.string().describe('E-mail address in lower case, the name for sign-ins.'),
		firstName: z.string().describe('Given names; empty for a person with one name, which is the last name.'),
		lastName: z.string().describe('Family name, or the only name of a person.'),
		phoneNumber: z.string().nullable().describe('Phone number in E.164; null if none is known.'),
		locale: z.string().describe('Language tag (BCP 47).'),
		roles: z.array(role).describe('All roles of the account.'),
		roleScopes,
		memberId: z.uuid().nullable().describe('The member that this account belongs to.'),
		status: userStatus,
		lastLoginAt: instant.nullable().describe('Last sign-in, in UTC; null before the first.'),
		passwordChangedAt: instant.describe('When the password was last set, in UTC.'),
		emailVerifiedAt: instant
			.nullable()
			.describe(
				'When the address was verified, in UTC; null = the account has no rights beyond its profile.',
			),
		mailRefusedAt: instant
			.nullable()
			.describe(
				'When a mail server last refused a mail to the address for good, or reported that it could not be delivered; null after an accepted one.',
			),
		mailRefusal: z.string().nullable().describe('Reply of that server.'),
		switchedOffMails: z.array(mailCategory).describe('Kinds of mails that the owner does not want.'),
		...recordTimes,
		version,
	})
	.meta({
		id: 'User',
		description: 'An account.',
		example: {
			id: '6f1c9c0e-2b1d-4c58-9c0a-52a3a5a0c7d1',
			email: 'anna.huber@example.org',
			firstName: 'Anna',
			lastName: 'Huber',
			phoneNumber: '+436601234567',
			locale: 'de-AT',
			roles: ['MEMBER', 'CLUB_OFFICIAL'],
			roleScopes: { CLUB_OFFICIAL: { clubIds: [demoClubs.auwiesen.id] } },
			memberId: null,
			status: 'ACTIVE',
			lastLoginAt: '2026-05-01T10:00:00.000Z',
			passwordChangedAt: '2026-01-15T08:30:00.000Z',
			emailVerifiedAt: '2026-01-15T08:31:40.000Z',
			mailRefusedAt: null,
			mailRefusal: null,
			switchedOffMails: [],
			createdAt: '2026-01-15T08:30:00.000Z',
			updatedAt: '2026-03-02T17:05:12.000Z',
			version: 3,
		},
	});

export type UserDto = z.output<typeof userSchema>;

/**
 * Not the version alone: /auth/profile returns another account for another token, and `lastLoginAt` changes without a
 * new version. A browser that revalidates would receive 304 (Not Modified) for an outdated copy.
 */
export const accountTag = 'shownVersion';

export function userDto(user: User): UserDto {
	return {
		...withInstants(user),
		roles: [...user.roles],
		roleScopes: scopesDto(user.roleScopes),
		switchedOffMails: mailCategories.filter((category) => user.switchedOffMails.includes(category)),
	};
}

function scopesDto({ CLUB_OFFICIAL, ORGANISER }: User['roleScopes']): UserDto['roleScopes'] {
	return {
		...(CLUB_OFFICIAL === undefined ? {} : { CLUB_OFFICIAL: { clubIds: [...CLUB_OFFICIAL.clubIds] } }),
		...(ORGANISER === undefined ? {} : { ORGANISER: { clubIds: [...ORGANISER.clubIds] } }),
	};
}

const localeDefault = 'de-AT';
const localeLengthMax = 35;

const ownPhoneNumber = phoneNumber.nullable().default(null).meta({
	type: 'string',
	maxLength: 40,
	nullable: true,
	description:
		'Phone number as people write it; without a country code it is Austrian. Stored in E.164; null if absent.',
});

const locale = z
	.string('must be text')
	.max(localeLengthMax, `must have at most ${localeLengthMax} characters`)
	.transform((value, context) => {
		const canonical = canonicalLocale(value);
		if (canonical !== undefined) return canonical;
		context.addIssue({ code: 'custom', message: 'must be a language tag such as de-AT' });
		return z.NEVER;
	})
	.default(localeDefault)
	.meta({
		type: 'string',
		maxLength: localeLengthMax,
		minLength: 2,
		description: `A language tag (BCP 47). Absent = ${localeDefault}.`,
	});

/** The stored form of a language tag from elsewhere; the default for one that is none. */
export function localeOf(tag: string | undefined): string {
	return locale.safeParse(tag).data ?? localeDefault;
}

function canonicalLocale(tag: string): string | undefined {
	try {
		// biome-ignore lint/style/noRestrictedGlobals: getCanonicalLocales creates no formatter, whose memory libs/calendar bounds.
		return Intl.getCanonicalLocales(tag)[0];
	} catch {
		return undefined; // RangeError is how Intl says "not well-formed"; the caller reports it.
	}
}

/** Fields that the owner of an account may set. */
export const ownFields = {
	firstName: givenNamesBody.default(''),
	lastName: familyName,
	phoneNumber: ownPhoneNumber,
	locale,
};

export const profileBody = z
	.strictObject({
		...ownFields,
		switchedOffMails: uniqueItems(
			z.array(mailCategory).max(mailCategories.length),
			'must not name a kind twice',
		)
			.default([])
			.describe('Kinds of mails that are not sent. Those about security or a confirmation always are.'),
	})
	.meta({
		id: 'ProfileChange',
		description: 'Fields that owners of accounts set themselves.',
		example: {
			firstName: 'Anna',
			lastName: 'Huber',
			phoneNumber: '+43 660 1234567',
			locale: 'de-AT',
			switchedOffMails: ['REMINDERS'],
		},
	});

export const userQuery = z.strictObject({
	role: filterValues(role).optional().describe('Accounts that hold one of these roles.'),
	status: filterValues(userStatus).optional().describe('Accounts in this status.'),
	...collectionParameters({
		of: 'User',
		text: 'Parts of a name or an e-mail address; matches at the beginning come first.',
		sort: ['lastName', 'firstName', 'email', 'status', 'lastLoginAt'],
	}),
});

export type UserQuery = z.output<typeof userQuery>;

export const statusBody = z.strictObject({ status: userStatus }).meta({
	id: 'StatusChange',
	description: 'The new status of an account.',
	example: { status: 'SUSPENDED' },
});

export const statusReasonBody = z
	.strictObject({ statusReason: line(1, 200).describe('Reason, for the history of the account.') })
	.meta({
		id: 'UserStatusReason',
		description: 'Why an account is suspended or closed.',
		example: { statusReason: 'Verlorenes Telefon' },
	});

export const releaseSchema = z
	.strictObject({
		userId: z.uuid().describe('UUID of the account.'),
		failures: z.int().min(0).describe('Failed attempts that counted until now.'),
		releasedAt: instant.describe('When the locks ended, in UTC.'),
	})
	.meta({
		id: 'Release',
		description: 'Result of ending the locks of an account.',
		example: {
			userId: '6f1c9c0e-2b1d-4c58-9c0a-52a3a5a0c7d1',
			failures: 10,
			releasedAt: '2026-05-01T10:00:00.000Z',
		},
	});

const clubIdsMax = 50;

const scopeBody = z
	.strictObject({
		// Limit at which an access token with all ids still fits into the headers of a request.
		clubIds: uniqueItems(z.array(id).min(1).max(clubIdsMax), 'must not name a club twice').describe(
			'UUIDs of the clubs that the role covers.',
		),
	})
	.meta({ id: 'RoleScopeBody', description: 'Clubs of one role; absent if it covers none.' })
	.optional();

const rolesField = uniqueItems(z.array(role).min(1).max(roles.length), 'must not name a role twice')
	.transform((list) => roles.filter((known) => list.includes(known)))
	.describe('All roles of the account from now on.');

export const rolesBody = z
	.strictObject({
		roles: rolesField,
		roleScopes: z
			.strictObject({ CLUB_OFFICIAL: scopeBody, ORGANISER: scopeBody })
			.meta({
				id: 'RoleScopesBody',
				description:
					'Clubs by role, only for roles that the user gets. A role that is left out keeps its clubs; null takes them away.',
			})
			.default({}),
		memberId: id
			.nullable()
			.optional()
			.describe('A member that no other account has. null = belongs to no member. Absent = as it was.'),
	})
	.superRefine(refuseScopesWithoutRole)
	.meta({
		id: 'RolesChange',
		description: 'Roles, their clubs and the member of an account.',
		example: {
			roles: ['MEMBER', 'CLUB_OFFICIAL'],
			roleScopes: { CLUB_OFFICIAL: { clubIds: [demoClubs.auwiesen.id] } },
		},
	});

function refuseScopesWithoutRole(
	body: { readonly roles: readonly string[]; readonly roleScopes: Readonly<Record<string, unknown>> },
	context: z.RefinementCtx,
): void {
	for (const name of ['CLUB_OFFICIAL', 'ORGANISER'] as const) {
		if (body.roleScopes[name] === undefined || body.roles.includes(name)) continue;
		context.addIssue({
			code: 'custom',
			path: ['roleScopes', name],
			params: { code: 'INVALID_REFERENCE' },
			message: 'limits a role that the user does not get',
		});
	}
}

export const invitationBody = z
	.strictObject({
		email: emailAddress,
		...ownFields,
		roles: rolesField.default(['MEMBER']),
		roleScopes: z
			.strictObject({ CLUB_OFFICIAL: scopeBody, ORGANISER: scopeBody })
			.meta({ id: 'InvitedRoleScopes', description: 'Clubs by role, only for roles that the user gets.' })
			.default({}),
	})
	.superRefine(refuseScopesWithoutRole)
	.meta({
		id: 'Invitation',
		'x-fresh-example': { email: 'clara.gruber.########@example.org' },
		description: 'A new account, whose owner sets the password.',
		example: {
			email: 'clara.gruber@example.org',
			firstName: 'Clara',
			lastName: 'Gruber',
			roles: ['MEMBER', 'CLUB_OFFICIAL'],
			roleScopes: { CLUB_OFFICIAL: { clubIds: [demoClubs.auwiesen.id] } },
		},
	});
