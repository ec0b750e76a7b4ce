import { revocationKeptMs } from '@paddock/identity';
import { sql } from 'kysely';
import type { AuthQueryable } from '../auth-database.ts';
import type { User } from '../users/user.ts';
import { userColumns, userOf } from '../users/user-repository.ts';

/** Stored state of a refresh token and its session; `usedAt` is the time of the first exchange. */
export interface StoredRefreshToken {
	readonly hash: Buffer;
	readonly sessionId: string;
	readonly userId: string;
	readonly sessionCreatedAt: Date;
	readonly sessionEndedAt: Date | undefined;
	readonly expiresAt: Date;
	readonly usedAt: Date | undefined;
	readonly voidedAt: Date | undefined;
}

export async function insertSession(
	db: AuthQueryable,
	session: { readonly userId: string; readonly createdAt: Date; readonly expiresAt: Date },
): Promise<string> {
	const row = await db
		.insertInto('sessions')
		.values({
			user_id: session.userId,
			created_at: session.createdAt,
			expires_at: session.expiresAt,
			ended_at: null,
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	return row.id;
}

export interface NewRefreshToken {
	readonly hash: Buffer;
	readonly sessionId: string;
	readonly expiresAt: Date;
	/** The hash of the token that is exchanged for this one; undefined at a sign-in. */
	readonly replaces: Buffer | undefined;
}

/** Extends the session to the expiry of its newest token. The database rejects a second usable token of a session. */
export async function insertRefreshToken(db: AuthQueryable, token: NewRefreshToken): Promise<void> {
	await db
		.insertInto('refresh_tokens')
		.values({
			token_hash: token.hash,
			session_id: token.sessionId,
			expires_at: token.expiresAt,
			used_at: null,
			replaces: token.replaces ?? null,
			voided_at: null,
		})
		.execute();
	await db
		.updateTable('sessions')
		.set({ expires_at: sql<Date>`greatest(expires_at, ${token.expiresAt}::timestamptz)` })
		.where('id', '=', token.sessionId)
		.execute();
}

/** Locks the session of a refresh token, so that the tokens of its family are exchanged one at a time. */
export async function lockRefreshToken(
	transaction: AuthQueryable,
	hash: Buffer,
): Promise<StoredRefreshToken | undefined> {
	const of = await transaction
		.selectFrom('refresh_tokens')
		.select('session_id')
		.where('token_hash', '=', hash)
		.executeTakeFirst();
	if (of === undefined) return undefined;
	const session = await transaction
		.selectFrom('sessions')
		.select(['id', 'user_id', 'created_at', 'ended_at'])
		.where('id', '=', of.session_id)
		.forUpdate()
		.executeTakeFirst();
	// Read after the lock: its previous holder may have used the token.
	const token = await transaction
		.selectFrom('refresh_tokens')
		.select(['expires_at', 'used_at', 'voided_at'])
		.where('token_hash', '=', hash)
		.executeTakeFirst();
	if (session === undefined || token === undefined) return undefined;
	return {
		hash,
		sessionId: session.id,
		userId: session.user_id,
		sessionCreatedAt: session.created_at,
		sessionEndedAt: session.ended_at ?? undefined,
		expiresAt: token.expires_at,
		usedAt: token.used_at ?? undefined,
		voidedAt: token.voided_at ?? undefined,
	};
}

export async function markUsed(transaction: AuthQueryable, hash: Buffer, at: Date): Promise<void> {
	await transaction
		.updateTable('refresh_tokens')
		.set({ used_at: at })
		.where('token_hash', '=', hash)
		.where('used_at', 'is', null)
		.execute();
}

/** Voids the unused token that was issued for this one. Returns false if there is none. The session must be locked. */
export async function voidUnusedSuccessor(
	transaction: AuthQueryable,
	{ hash, sessionId }: Pick<StoredRefreshToken, 'hash' | 'sessionId'>,
	at: Date,
): Promise<boolean> {
	const voided = await transaction
		.updateTable('refresh_tokens')
		.set({ voided_at: at })
		.where('session_id', '=', sessionId)
		.where('replaces', '=', hash)
		.where('used_at', 'is', null)
		.where('voided_at', 'is', null)
		.returning('token_hash')
		.execute();
	return voided.length > 0;
}

/** Finds the user of a session that has neither ended nor expired and belongs to an active user. */
export async function findSessionUser(
	db: AuthQueryable,
	session: { readonly id: string; readonly userId: string },
	now: Date,
): Promise<User | undefined> {
	const row = await db
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
					.whereRef('sessions.user_id', '=', 'users.id')
					.where('sessions.ended_at', 'is', null)
					.where('sessions.expires_at', '>', now),
			),
		)
		.executeTakeFirst();
	return row === undefined ? undefined : userOf(row);
}

/** Ends one session; a session that has already ended keeps its end time. Returns its id if this call ended it. */
export async function endSession(db: AuthQueryable, id: string, at: Date): Promise<readonly string[]> {
	const rows = await db
		.updateTable('sessions')
		.set({ ended_at: at })
		.where('id', '=', id)
		.where('ended_at', 'is', null)
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
		.set({ ended_at: at })
		.where('user_id', '=', userId)
		.where('ended_at', 'is', null);
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
		.where((where) => where.or([where('expires_at', '<=', longExpired), where('ended_at', 'is not', null)]))
		.execute();
	await db.deleteFrom('refresh_tokens').where('expires_at', '<=', now).execute();
}
