import { revocationKeptMs } from '@paddock/identity';
import { sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';
import { type User, userColumns } from '../users/store.ts';

/** Stored state of a refresh token and its session; `usedAt` is the time of the first exchange. */
export interface StoredRefreshToken {
	readonly hash: Buffer;
	readonly sessionId: string;
	readonly userId: string;
	readonly sessionCreatedAt: Date;
	readonly sessionEndedAt: Date | null;
	readonly authenticatedAt: Date | null;
	readonly amr: readonly string[] | null;
	readonly expiresAt: Date;
	readonly usedAt: Date | null;
	readonly voidedAt: Date | null;
}

export async function insertSession(
	db: AuthQueryable,
	session: {
		readonly userId: string;
		readonly createdAt: Date;
		readonly expiresAt: Date;
		readonly userAgent: string | null;
		readonly lastUsedAt: Date;
		readonly authenticatedAt: Date;
		readonly amr: string[];
	},
): Promise<string> {
	const row = await db.insertInto('sessions').values(session).returning('id').executeTakeFirstOrThrow();
	return row.id;
}

interface NewRefreshToken {
	readonly tokenHash: Buffer;
	readonly sessionId: string;
	readonly expiresAt: Date;
	/** The hash of the token that is exchanged for this one; null at a sign-in. */
	readonly replaces: Buffer | null;
	/** What the token was derived with from the one that it replaces; null at a sign-in. */
	readonly nonce: Buffer | null;
}

/** Extends the session to the expiry of its newest token. The database rejects a second usable token of a session. */
export async function insertRefreshToken(db: AuthQueryable, token: NewRefreshToken): Promise<void> {
	await db.insertInto('refreshTokens').values(token).execute();
	await db
		.updateTable('sessions')
		.set({ expiresAt: sql<Date>`greatest(expires_at, ${token.expiresAt}::timestamptz)` })
		.where('id', '=', token.sessionId)
		.execute();
}

/** Locks the session of a refresh token, so that the tokens of its family are exchanged one at a time. */
export async function lockRefreshToken(
	transaction: AuthQueryable,
	hash: Buffer,
): Promise<StoredRefreshToken | undefined> {
	const of = await transaction
		.selectFrom('refreshTokens')
		.select('sessionId')
		.where('tokenHash', '=', hash)
		.executeTakeFirst();
	if (of === undefined) return undefined;
	const session = await transaction
		.selectFrom('sessions')
		.select([
			'id as sessionId',
			'userId',
			'createdAt as sessionCreatedAt',
			'endedAt as sessionEndedAt',
			'authenticatedAt',
			'amr',
		])
		.where('id', '=', of.sessionId)
		.forUpdate()
		.executeTakeFirst();
	// Read after the lock: its previous holder may have used the token.
	const token = await transaction
		.selectFrom('refreshTokens')
		.select(['expiresAt', 'usedAt', 'voidedAt'])
		.where('tokenHash', '=', hash)
		.executeTakeFirst();
	if (session === undefined || token === undefined) return undefined;
	return { hash, ...session, ...token };
}

/**
 * Records a further authentication in a session. A second factor adds its methods to those of the sign-in; a password
 * replaces them.
 */
export async function noteAuthentication(
	db: AuthQueryable,
	sessionId: string,
	methods: readonly string[],
	at: Date,
): Promise<{
	readonly createdAt: Date;
	readonly amr: readonly string[] | null;
	readonly authenticatedAt: Date | null;
}> {
	const added = methods.includes('mfa');
	return db
		.updateTable('sessions')
		.set({
			authenticatedAt: at,
			amr: added
				? sql<
						string[]
					>`array(select distinct unnest(coalesce(amr, array['pwd']) || ${methods}::text[]) order by 1)`
				: [...methods],
		})
		.where('id', '=', sessionId)
		.returning(['createdAt', 'amr', 'authenticatedAt'])
		.executeTakeFirstOrThrow();
}

export async function markUsed(transaction: AuthQueryable, hash: Buffer, at: Date): Promise<void> {
	await transaction
		.updateTable('refreshTokens')
		.set({ usedAt: at })
		.where('tokenHash', '=', hash)
		.where('usedAt', 'is', null)
		.execute();
}

/** The usable token that was issued in exchange for another one. */
export interface Successor {
	readonly nonce: Buffer;
	readonly expiresAt: Date;
}

/** Undefined if it was used, or issued by a version without nonces. The session must be locked. */
export function findUnusedSuccessor(
	transaction: AuthQueryable,
	{ hash, sessionId }: Pick<StoredRefreshToken, 'hash' | 'sessionId'>,
): Promise<Successor | undefined> {
	return transaction
		.selectFrom('refreshTokens')
		.select(['nonce', 'expiresAt'])
		.where('sessionId', '=', sessionId)
		.where('replaces', '=', hash)
		.where('usedAt', 'is', null)
		.where('voidedAt', 'is', null)
		.where('nonce', 'is not', null)
		.$narrowType<{ nonce: Buffer }>()
		.executeTakeFirst();
}

/** Finds the user of a session that has neither ended nor expired and belongs to an active user. */
export function findSessionUser(
	db: AuthQueryable,
	session: { readonly id: string; readonly userId: string },
	now: Date,
): Promise<User | undefined> {
	return db
		.selectFrom('users')
		.select(userColumns)
		.where('id', '=', session.userId)
		.where('status', '=', 'ACTIVE')
		.where((where) =>
			where.exists(
				where
					.selectFrom('sessions')
					.select('sessions.id')
					.where('sessions.id', '=', session.id)
					.whereRef('sessions.userId', '=', 'users.id')
					.where('sessions.endedAt', 'is', null)
					.where('sessions.expiresAt', '>', now),
			),
		)
		.executeTakeFirst();
}

/** Records the last use of a session, at each refresh. */
export async function noteUse(db: AuthQueryable, id: string, at: Date): Promise<void> {
	await db.updateTable('sessions').set({ lastUsedAt: at }).where('id', '=', id).execute();
}

const sessionsMax = 200;

/** The open sessions of a user, the last used first. */
export function listSessions(db: AuthQueryable, userId: string, now: Date) {
	return db
		.selectFrom('sessions')
		.select(['id', 'userAgent', 'createdAt', 'lastUsedAt', 'expiresAt'])
		.where('userId', '=', userId)
		.where('endedAt', 'is', null)
		.where('expiresAt', '>', now)
		.orderBy(sql`coalesce(last_used_at, created_at)`, 'desc')
		.orderBy('id')
		.limit(sessionsMax)
		.execute();
}

/** Ends one session of a user. Returns its id if this call ended it. */
export async function endSessionOf(
	db: AuthQueryable,
	session: { readonly id: string; readonly userId: string },
	at: Date,
): Promise<readonly string[]> {
	const rows = await db
		.updateTable('sessions')
		.set({ endedAt: at })
		.where('id', '=', session.id)
		.where('userId', '=', session.userId)
		.where('endedAt', 'is', null)
		.where('expiresAt', '>', at)
		.returning('id')
		.execute();
	return rows.map((row) => row.id);
}

/** Ends one session; a session that has already ended keeps its end time. Returns its id if this call ended it. */
export async function endSession(db: AuthQueryable, id: string, at: Date): Promise<readonly string[]> {
	const rows = await db
		.updateTable('sessions')
		.set({ endedAt: at })
		.where('id', '=', id)
		.where('endedAt', 'is', null)
		.returning('id')
		.execute();
	return rows.map((row) => row.id);
}

/** Ends all sessions of a user except `except`. Returns the ids of those that it ended. */
export async function endSessionsOf(
	db: AuthQueryable,
	userId: string,
	at: Date,
	except?: string,
): Promise<readonly string[]> {
	let sessions = db
		.updateTable('sessions')
		.set({ endedAt: at })
		.where('userId', '=', userId)
		.where('endedAt', 'is', null);
	if (except !== undefined) sessions = sessions.where('id', '<>', except);
	const rows = await sessions.returning('id').execute();
	return rows.map((row) => row.id);
}

/**
 * Removes ended and expired sessions with their tokens, and expired tokens. An expired session is retained while its
 * last access token may be valid: a password change must still find it.
 */
export async function deleteDeadSessions(db: AuthQueryable, now: Date): Promise<void> {
	const longExpired = new Date(now.getTime() - revocationKeptMs);
	await db
		.deleteFrom('sessions')
		.where((where) => where.or([where('expiresAt', '<=', longExpired), where('endedAt', 'is not', null)]))
		.execute();
	await db.deleteFrom('refreshTokens').where('expiresAt', '<=', now).execute();
}
