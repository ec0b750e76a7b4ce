import { id, instant } from '@paddock/service';
import { z } from 'zod';
import { givenPassword } from '../passwords/password-rules.ts';
import type { IdentityRow } from './store.ts';

const exampleToken = 'o1Y3pXQp1cXo7mJwq0sG1rJm2y3cQb4yqGJm8n9sYtE';

const stepToken = (meaning: string) =>
	z
		.string('must be text')
		.regex(/^[\w-]{43}$/, 'must be a token of 43 characters')
		.describe(meaning);

export const providerSchema = z
	.strictObject({
		isAvailable: z.boolean().describe('Whether accounts can sign in with an identity provider.'),
		name: z.string().nullable().describe('Its name, for the button; null without one.'),
		createsAccounts: z.boolean().describe('Whether a first sign-in with it creates an account.'),
	})
	.meta({
		id: 'IdentityProvider',
		description: 'The external identity provider of this deployment.',
		example: { isAvailable: true, name: 'Sportbund', createsAccounts: false },
	});

export const exchangeBody = z
	.strictObject({
		code: stepToken('The `code` of the redirection to /app/sign-in; for one use within a minute.'),
	})
	.meta({
		id: 'OidcExchange',
		description: 'A completed sign-in at the identity provider.',
		example: { code: exampleToken },
	});

const linkToken = stepToken('The `linkToken` of the response `OIDC_LINK_REQUIRED`.');

export const linkBody = z.strictObject({ linkToken, password: givenPassword }).meta({
	id: 'OidcLink',
	description: 'Confirms with its password that an account is the caller’s.',
	example: { linkToken: exampleToken, password: 'canter over the hedge' },
});

export const linkMailBody = z.strictObject({ linkToken }).meta({
	id: 'OidcLinkMailRequest',
	description: 'Requests a mail to the address of the account, which confirms that it is the caller’s.',
	example: { linkToken: exampleToken },
});

export const linkedSchema = z
	.strictObject({
		email: z.string().describe('The address of the account.'),
		linkedAt: instant.describe('When the identity was linked, in UTC.'),
	})
	.meta({
		id: 'OidcLinkConfirmation',
		description: 'An identity that now signs in to the account.',
		example: { email: 'anna.huber@example.org', linkedAt: '2026-05-01T10:00:00.000Z' },
	});

const identitySchema = z
	.strictObject({
		id: id.describe('UUID of the link.'),
		issuer: z.string().describe('The identity provider.'),
		email: z.string().nullable().describe('The address there when it was linked.'),
		createdAt: instant.describe('When it was linked, in UTC.'),
		lastUsedAt: instant.nullable().describe('Last sign-in with it, in UTC.'),
	})
	.meta({
		id: 'ExternalIdentity',
		description: 'An identity at the identity provider that signs in to the account.',
		example: {
			id: '6f1c9c0e-2b1d-4c58-9c0a-52a3a5a0c7d1',
			issuer: 'https://id.example.org',
			email: 'anna.huber@example.org',
			createdAt: '2026-05-01T10:00:00.000Z',
			lastUsedAt: null,
		},
	});

export const identitiesSchema = z
	.strictObject({ identities: z.array(identitySchema).describe('The oldest first.') })
	.meta({ id: 'ExternalIdentities', description: 'The identities of an account.' });

export function identitiesDto(rows: readonly IdentityRow[]): z.output<typeof identitiesSchema> {
	return {
		identities: rows.map(({ id: linkId, issuer, email, createdAt, lastUsedAt }) => ({
			id: linkId,
			issuer,
			email,
			createdAt: createdAt.toISOString(),
			lastUsedAt: lastUsedAt?.toISOString() ?? null,
		})),
	};
}
