import type { Route } from '@paddock/service';
import { fullName } from '@paddock/text';
import { z } from 'zod';
import { type AuthDeps, route } from '../deps.ts';
import { isSteppedUp } from '../second-factor/policy.ts';
import { findCurrentUser } from '../sessions/require-session.ts';

const waitMsMax = 30_000;

const revocationQuery = z.strictObject({
	after: z.string().min(1).max(100).optional().describe('`next` of the page before.'),
	waitMs: z
		.string()
		.regex(/^\d{1,5}$/, 'must be a whole number')
		.transform(Number)
		.refine((value) => value <= waitMsMax, `must be between 0 and ${waitMsMax}`)
		.default(0),
});

const revocationPageSchema = z.strictObject({
	items: z.array(
		z.strictObject({
			subject: z.string().describe('Digest of a session or an account.'),
			before: z.int().nullable().describe('The account version below which tokens are revoked; null = all.'),
		}),
	),
	next: z.string(),
	more: z.boolean(),
});

const liveSessionSchema = z.strictObject({
	live: z.boolean(),
	name: z.string().optional().describe('Name of the user; absent unless live.'),
	isSteppedUp: z
		.boolean()
		.optional()
		.describe(
			'Whether the token suffices for operations that need a recent second factor; absent unless live.',
		),
});

const feed = route({
	method: 'get',
	path: '/internal/revocations',
	operationId: 'followRevocations',
	summary: 'The access tokens that must be refused before they expire',
	description: 'Needs no credentials: it consists of digests of random ids, which disclose nothing.',
	access: 'public',
	query: revocationQuery,
	output: revocationPageSchema,
	message: 'Revocations',
	cacheControl: 'no-store',
	quiet: true,
	handler: async ({ query, signal }, { revocationFeed }) => {
		const page = await revocationFeed.page({ ...query, after: query.after, signal });
		return { ...page, items: [...page.items] };
	},
});

const session = route({
	method: 'get',
	path: '/internal/session',
	operationId: 'checkSession',
	readers: 'account',
	summary: 'Whether an access token still shows the truth',
	description: 'Of the token that the request carries, so that it discloses nothing else.',
	access: 'public',
	tokenOptional: true,
	output: liveSessionSchema,
	message: 'Session',
	cacheControl: 'no-store',
	handler: async ({ principal }, deps) => {
		if (principal === undefined) return { live: false };
		const user = await findCurrentUser(deps, principal);
		if (user === undefined) return { live: false };
		return { live: true, name: fullName(user), isSteppedUp: await isSteppedUp(deps, user, principal) };
	},
});

export const revocationRoutes: readonly Route<AuthDeps>[] = [feed, session];
