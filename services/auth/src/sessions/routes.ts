import { apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { instant, type Route } from '@paddock/service';
import { z } from 'zod';
import { type AuthDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { revokeSessions } from '../revocations/store.ts';
import { endedSessionSchema } from '../sign-in/schemas.ts';
import { deviceName } from './device-name.ts';
import { requireSession } from './require-session.ts';
import { endSessionOf, listSessions } from './store.ts';

const sessionSchema = z
	.strictObject({
		id: z.uuid().describe('UUID of the session, the `sid` claim of its tokens.'),
		current: z.boolean().describe('Whether it is the session of this request.'),
		device: z
			.string()
			.nullable()
			.describe('Program and system, from the `User-Agent` of the sign-in; null if it had none.'),
		place: z.string().nullable().describe('Always null: no place is determined from an address.'),
		createdAt: instant.describe('When it began, in UTC.'),
		lastUsedAt: instant.describe('Sign-in or last refresh, in UTC; a session without one expires.'),
		expiresAt: instant.describe('When it ends without a further refresh, in UTC.'),
	})
	.meta({
		id: 'Session',
		description: 'A session of the caller’s account.',
		example: {
			id: '6f1c9c0e-2b1d-4c58-9c0a-52a3a5a0c7d1',
			current: true,
			device: 'Firefox on Windows',
			place: null,
			createdAt: '2026-05-01T10:00:00.000Z',
			lastUsedAt: '2026-05-02T08:30:00.000Z',
			expiresAt: '2026-05-16T08:30:00.000Z',
		},
	});

const sessionList = z
	.strictObject({ items: z.array(sessionSchema).describe('The newest use first, at most 200.') })
	.meta({ id: 'SessionList', description: 'The open sessions of an account.' });

const list = route({
	method: 'get',
	path: '/auth/sessions',
	operationId: 'listSessions',
	readers: 'account',
	summary: 'The open sessions of the caller’s account',
	access: 'signedIn',
	unverifiedToo: true,
	output: sessionList,
	message: 'Sessions',
	cacheControl: 'no-store',
	handler: async ({ principal }, deps) => {
		const user = await requireSession(deps, principal);
		const sessions = await listSessions(deps.db, user.id, deps.now());
		return {
			items: sessions.map(({ id, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
				id,
				current: id === principal.sessionId,
				device: userAgent === null ? null : deviceName(userAgent),
				place: null,
				createdAt: createdAt.toISOString(),
				lastUsedAt: (lastUsedAt ?? createdAt).toISOString(),
				expiresAt: expiresAt.toISOString(),
			})),
		};
	},
});

const end = route({
	method: 'delete',
	path: '/auth/sessions/{id}',
	operationId: 'endSession',
	summary: 'End a session of the caller’s account',
	description:
		'Its refresh tokens are void at once; its access tokens are refused within seconds. A session of another account is not found.',
	access: 'signedIn',
	writers: 'account',
	unverifiedToo: true,
	output: endedSessionSchema,
	message: 'Session ended',
	cacheControl: 'no-store',
	errors: errorsNamed('NOT_FOUND'),
	handler: async ({ principal, params, log }, deps) => {
		const user = await requireSession(deps, principal);
		const at = deps.now();
		await inTransaction(deps.db, async (transaction) => {
			const ended = await endSessionOf(transaction, { id: params.id, userId: user.id }, at);
			if (ended.length === 0) throw apiError('NOT_FOUND');
			await revokeSessions(transaction, ended, at);
		});
		log.info('a session was ended', { userId: user.id, sessionId: params.id });
		return { sessionId: params.id, endedAt: at.toISOString() };
	},
});

export const sessionRoutes: readonly Route<AuthDeps>[] = [list, end];
