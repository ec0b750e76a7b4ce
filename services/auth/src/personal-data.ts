import { changesAboutWithout, changesMade, type PersonalData } from '@paddock/context';
import { type RawBuilder, sql } from 'kysely';
import type { AuthSchema } from './database-schema.ts';

const accountEnd = 'until the account is erased';
const ofUser = ({ userId }: { readonly userId: string }) => sql<boolean>`user_id = ${userId}::uuid`;
const text = (value: string) => () => sql`${value}::text`;
const nothing = () => sql`null`;
const withoutDeciders = (values: RawBuilder<unknown>) => sql`${values} - 'decided_by' - 'ended_by'`;

/** As in `linkOf`: an export must not disclose whether a request matches a member before that is confirmed. */
const ifConfirmed = (column: string) =>
	sql`case when decided_at is not null and status <> 'DECLINED' then ${sql.ref(column)} end`;

const secondFactor = {
	ground: 'contract',
	storedFor: 'until it is removed or the account is erased',
	of: ofUser,
	erasure: 'delete',
} as const;

/** See docs/privacy.md, which is generated from it. */
export const personalData: PersonalData<AuthSchema> = {
	changes: [
		changesAboutWithout(
			'Changes of the account',
			({ userId }) => sql<boolean>`record_id = ${userId}`,
			// Who decided on a link to a member is another person.
			withoutDeciders,
		),
		changesMade,
	],
	users: [
		{
			purpose: 'Account: sign-in, roles, and the member that it belongs to',
			ground: 'contract',
			storedFor: accountEnd,
			of: ({ userId }) => sql<boolean>`id = ${userId}::uuid`,
			exported: [
				'id',
				'email',
				'firstName',
				'lastName',
				'phoneNumber',
				'locale',
				'roles',
				'roleScopes',
				'memberId',
				'status',
				'lastLoginAt',
				'passwordChangedAt',
				'emailVerifiedAt',
				'mailRefusedAt',
				'mailRefusal',
				'switchedOffMails',
				'createdAt',
				'updatedAt',
			],
			withheld: {
				passwordHash: 'protects the password and is of no use to the person',
				searchText: 'derived from name and e-mail address',
				bouncedMessageId: 'recognises a report on a mail that comes again',
			},
			impersonal: ['isDemo', 'version'],
			erasure: {
				email: ({ userId }) => sql`${`erased-${userId}@erased.invalid`}::text`,
				passwordHash: text('erased'),
				firstName: text(''),
				lastName: text('Anonymous'),
				phoneNumber: nothing,
				lastLoginAt: nothing,
				mailRefusedAt: nothing,
				mailRefusal: nothing,
				bouncedMessageId: nothing,
				roles: () => sql`array['MEMBER']`,
				roleScopes: () => sql`'{}'::jsonb`,
				memberId: nothing,
				status: text('CLOSED'),
				searchText: text(''),
			},
			kept: 'The id stays, so that entries, bookings and decisions name an anonymous account.',
		},
	],
	memberLinks: [
		{
			purpose:
				'The members that an account acts for, and requests for it, with the member once it is confirmed',
			ground: 'contract',
			storedFor: accountEnd,
			of: ofUser,
			exported: [
				'relationship',
				'status',
				'membershipNumber',
				'dateOfBirth',
				'holdsUntil',
				'decidedAt',
				'reason',
				'endedAt',
				'createdAt',
				'updatedAt',
			],
			exportedAs: { memberId: () => ifConfirmed('member_id'), clubId: () => ifConfirmed('club_id') },
			withheld: {
				decidedBy: 'names another person, an official or the office',
				endedBy: 'may name another person, an official or the office',
				memberClubId: 'a copy of the member’s record',
			},
			impersonal: ['id', 'userId', 'version'],
			erasure: 'delete',
		},
		{
			purpose: 'Links of other accounts to the member that the person is: guardians, contacts of a club',
			ground: 'contract',
			storedFor: 'as long as the link',
			of: ({ userId, memberId }) =>
				sql<boolean>`member_id = ${memberId}::uuid and user_id <> ${userId}::uuid`,
			exported: ['id', 'relationship', 'status', 'holdsUntil', 'createdAt', 'endedAt'],
			erasure: { dateOfBirth: nothing, memberClubId: nothing },
			kept: 'The link belongs to the other account.',
		},
		{
			purpose: 'Links of other accounts that the person confirmed, declined or ended',
			ground: 'legitimate interests',
			storedFor: 'as long as the link',
			of: ({ userId }) =>
				sql<boolean>`${userId}::uuid in (decided_by, ended_by) and user_id <> ${userId}::uuid`,
			exported: ['id', 'status', 'decidedAt', 'endedAt'],
			erasure: {},
			kept: 'Shows who gave a right; the id is that of an anonymous account.',
		},
	],
	sessions: [
		{
			purpose: 'Sign-ins that are not over',
			ground: 'contract',
			storedFor: 'until the session expires or is ended',
			of: ofUser,
			exported: [
				'id',
				'createdAt',
				'lastUsedAt',
				'expiresAt',
				'endedAt',
				'deviceId',
				'userAgent',
				'authenticatedAt',
				'amr',
			],
			impersonal: ['userId'],
			erasure: 'delete',
		},
	],
	refreshTokens: [
		{
			purpose: 'Continues a session without a password',
			ground: 'contract',
			storedFor: 'as long as the session',
			of: ({ userId }) =>
				sql<boolean>`session_id in (select id from sessions where user_id = ${userId}::uuid)`,
			exported: ['sessionId', 'expiresAt', 'usedAt', 'voidedAt'],
			withheld: {
				tokenHash: 'protects the token',
				replaces: 'protects the token',
				nonce: 'protects the token',
			},
			erasure: 'delete',
		},
	],
	devices: [
		{
			purpose: 'Known devices, which a lock by guesses of others does not affect',
			ground: 'legitimate interests',
			storedFor: 'DEVICE_TOKEN_DAYS after the last sign-in',
			of: ofUser,
			exported: ['id', 'createdAt', 'lastSignInAt', 'expiresAt'],
			withheld: { tokenHash: 'protects the token' },
			impersonal: ['userId'],
			erasure: 'delete',
		},
	],
	totpAuthenticators: [
		{
			...secondFactor,
			purpose: 'Authenticator app as second factor',
			exported: ['id', 'createdAt', 'confirmedAt', 'lastUsedAt'],
			withheld: { secret: 'protects the codes of the app', lastStep: 'protects the codes of the app' },
			impersonal: ['userId'],
		},
	],
	passkeys: [
		{
			...secondFactor,
			purpose: 'Passkeys as second factor',
			exported: ['id', 'name', 'transports', 'isSynced', 'createdAt', 'lastUsedAt'],
			withheld: {
				credentialId: 'protects the sign-in and is of no use to the person',
				publicKey: 'protects the sign-in and is of no use to the person',
				counter: 'protects the sign-in and is of no use to the person',
			},
			impersonal: ['userId'],
		},
	],
	recoveryCodes: [
		{
			...secondFactor,
			purpose: 'Recovery codes for a lost second factor',
			exported: ['createdAt', 'usedAt'],
			withheld: { codeHash: 'protects the code' },
			impersonal: ['userId'],
		},
	],
	externalIdentities: [
		{
			ground: 'contract',
			storedFor: 'until it is removed or the account is erased',
			of: ofUser,
			erasure: 'delete',
			purpose: 'Identities at the external provider that sign in to the account',
			exported: ['id', 'issuer', 'subject', 'email', 'createdAt', 'lastUsedAt'],
			impersonal: ['userId'],
		},
	],
	oidcSteps: [
		{
			purpose: 'Sign-ins with the external provider that are not complete, encrypted',
			ground: 'contract',
			storedFor: 'minutes',
			// The content is encrypted, and names an account only in some of the steps.
			of: () => sql<boolean>`false`,
			exported: [],
			withheld: {
				tokenHash: 'protects the token',
				kind: 'belongs to an encrypted step',
				browserHash: 'a digest, which names nobody',
				content: 'encrypted; a copy of what the provider states',
				expiresAt: 'belongs to an encrypted step',
			},
			erasure: 'delete',
			kept: 'Removed by the clock.',
		},
	],
	signInChallenges: [
		{
			...secondFactor,
			purpose: 'Sign-ins that await the second factor',
			storedFor: 'minutes',
			exported: ['purpose', 'methods', 'identity', 'expiresAt'],
			withheld: { tokenHash: 'protects the token', passwordChangedAt: 'a copy of the account' },
			impersonal: ['userId'],
		},
	],
	passkeyChallenges: [
		{
			...secondFactor,
			purpose: 'Uses of a passkey that await its response',
			storedFor: 'minutes',
			exported: ['expiresAt'],
			withheld: {
				challenge: 'protects the sign-in and is of no use to the person',
				owner: 'names the session or sign-in that it belongs to',
			},
			impersonal: ['userId'],
		},
	],
	signInFailures: [
		{
			purpose: 'Protection against guessed passwords',
			ground: 'legitimate interests',
			storedFor: 'for the period in which failures are counted, an hour by default',
			// The keys are digests, which cannot be read back.
			of: () => sql<boolean>`false`,
			exported: [],
			withheld: {
				accountKey: 'a digest that identifies no person',
				accountUntil: 'belongs to a digest',
				addressKey: 'a digest that identifies no person',
				addressUntil: 'belongs to a digest',
				failedAt: 'belongs to a digest',
			},
			impersonal: ['id'],
			erasure: 'delete',
			kept: 'Deleted when the period ends.',
		},
	],
	unlinkedMembers: [
		{
			purpose: 'Accounts that a migration separated from a member, until the office decides',
			ground: 'legitimate interests',
			storedFor: 'until the office decides',
			of: ({ userId }) => sql<boolean>`${userId}::uuid in (user_id, kept_by)`,
			exported: ['memberId'],
			withheld: { keptBy: 'names another account', userId: 'may name another account' },
			erasure: 'delete',
		},
	],
	personRequests: [
		{
			purpose: 'Requests for an export or an erasure, and the report of it',
			ground: 'legal obligation',
			storedFor: 'three years after the erasure (GDPR article 5(2)); the data of an export for 7 days',
			of: ofUser,
			exported: ['kind', 'status', 'createdAt', 'dueAt', 'finishedAt', 'expiresAt', 'updatedAt', 'memberId'],
			withheld: { document: 'an earlier export', report: 'contains no data of the person' },
			impersonal: ['id', 'userId'],
			erasure: { document: nothing },
			kept: 'Proves that the request was met; the ids are those of an anonymous account and person.',
		},
	],
	emailChanges: [
		{
			purpose: 'Changes of the e-mail address that are not confirmed at both',
			ground: 'contract',
			storedFor: 'until they are confirmed or lapse',
			of: ofUser,
			exported: ['newEmail', 'leftAt', 'enteredAt', 'createdAt'],
			impersonal: ['id', 'userId'],
			erasure: 'delete',
		},
	],
	accountTokens: [
		{
			purpose: 'Single-use links of mails, such as that of a forgotten password',
			ground: 'contract',
			storedFor: 'minutes to a week, by purpose',
			of: ofUser,
			exported: ['purpose', 'createdAt', 'expiresAt'],
			withheld: { tokenHash: 'protects the token', data: 'belongs to the purpose, such as a new address' },
			impersonal: ['userId'],
			erasure: 'delete',
		},
	],
	revocationFeed: 'a position',
	revocations: 'digests of random ids, stored for minutes',
	signingKeys: 'keys of the system',
	seedMarks: 'names of demo data sets',
};
