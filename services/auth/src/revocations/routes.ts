import type { Route } from '@paddock/service';
import { fullName } from '@paddock/text';
import { type AuthDeps, route } from '../deps.ts';
import { findCurrentUser } from '../sessions/require-session.ts';
import { liveSessionSchema, revocationPageSchema, revocationQuery } from './schemas.ts';

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
	summary: 'Whether an access token still shows the truth',
	description: 'Of the token that the request carries, so that it discloses nothing else.',
	access: 'public',
	tokenOptional: true,
	output: liveSessionSchema,
	message: 'Session',
	cacheControl: 'no-store',
	handler: async ({ principal }, deps) => {
		const user = principal === undefined ? undefined : await findCurrentUser(deps, principal);
		return user === undefined ? { live: false } : { live: true, name: fullName(user) };
	},
});

export const revocationRoutes: readonly Route<AuthDeps>[] = [feed, session];
