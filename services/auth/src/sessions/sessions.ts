import { hash, randomBytes } from 'node:crypto';
import { apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { SigningKey, TokenSigner } from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';
import type { AuthDatabase, AuthQueryable } from '../database-schema.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { revokeSessions } from '../revocations/revoke.ts';
import type { User } from '../users/user.ts';
import { noteSignIn } from '../users/user-repository.ts';
import {
	endSession,
	findSessionUser,
	insertRefreshToken,
	insertSession,
	lockRefreshToken,
	markUsed,
	type StoredRefreshToken,
	voidUnusedSuccessor,
} from './session-repository.ts';

/** The tokens of a sign-in or refresh. */
export interface IssuedTokens {
	readonly accessToken: string;
	readonly accessExpiresAt: Date;
	readonly refreshToken: string;
	readonly refreshExpiresAt: Date;
	readonly sessionId: string;
	readonly user: User;
}

export interface Sessions {
	/**
	 * Opens a session for `user`, whose password was verified and who is active; undefined if either has changed since
	 * `user` was read. Records the sign-in.
	 */
	open(user: User): Promise<IssuedTokens | undefined>;
	/**
	 * Exchanges a refresh token for the next one, from then on the only usable one of its session; roles and status are
	 * read again.
	 * @throws ApiError INVALID_TOKEN, the same for every cause.
	 */
	refresh(refreshToken: string, log: Logger): Promise<IssuedTokens>;
}

interface SessionsDeps {
	readonly db: AuthDatabase;
	readonly keys: SigningKeys;
	readonly signer: TokenSigner;
	readonly now: () => Date;
	readonly refreshTokenMs: number;
	/**
	 * Time during which a token may be used again if its successor is unused, since the response may have been lost.
	 */
	readonly graceMs: number;
	/** Maximum lifetime of a session after its sign-in, regardless of refreshes (OWASP ASVS 5 §7.3.2). */
	readonly sessionMsMax: number;
}

/** A refused exchange. */
type Refusal =
	| { readonly kind: 'refused' }
	| { readonly kind: 'reused'; readonly stored: StoredRefreshToken };

/** Sessions and their refresh tokens: tokens rotate on each use, and reuse ends the whole family (RFC 9700 §4.14.2). */
export function createSessions(deps: SessionsDeps): Sessions {
	const { db, now } = deps;
	const refusal = () =>
		apiError('INVALID_TOKEN', {
			message: 'The refresh token is not valid. Sign in again.',
			// The error of RFC 6750 is about the access token, which a refresh doesn't have.
			headers: { 'WWW-Authenticate': 'Bearer' },
		});

	const exchange = async (
		transaction: AuthQueryable,
		hash: Buffer,
		key: SigningKey,
	): Promise<IssuedTokens | Refusal> => {
		const stored = await lockRefreshToken(transaction, hash);
		const at = now();
		if (stored === undefined || stored.sessionEndedAt !== null || stored.expiresAt <= at)
			return { kind: 'refused' };
		if (await isReused(transaction, stored, { at, graceMs: deps.graceMs })) {
			await revokeSessions(transaction, await endSession(transaction, stored.sessionId, at), at);
			return { kind: 'reused', stored };
		}
		const session = { id: stored.sessionId, userId: stored.userId, createdAt: stored.sessionCreatedAt };
		const user = await findSessionUser(transaction, session, at);
		if (user === undefined) return { kind: 'refused' };
		await markUsed(transaction, hash, at);
		return issue(deps, transaction, { user, session, key, at, replaces: hash });
	};

	return {
		open: async (user) => {
			const key = await deps.keys.signing();
			return inTransaction(db, async (transaction) => {
				const at = now();
				const signedIn = await noteSignIn(transaction, user, at);
				if (signedIn === undefined) return undefined;
				const id = await insertSession(transaction, {
					userId: user.id,
					createdAt: at,
					expiresAt: refreshExpiry(deps, at, at),
				});
				const session = { id, createdAt: at };
				return issue(deps, transaction, { user: signedIn, session, key, at, replaces: null });
			});
		},
		refresh: async (refreshToken, log) => {
			const key = await deps.keys.signing();
			const outcome = await inTransaction(db, (transaction) =>
				exchange(transaction, digest(refreshToken), key),
			);
			if (!('kind' in outcome)) return outcome;
			// Thrown only after the commit: a rollback would undo the end of the session.
			if (outcome.kind === 'reused') {
				const { sessionId, userId } = outcome.stored;
				log.warn('a used refresh token came again, its session was ended', { sessionId, userId });
			}
			throw refusal();
		},
	};
}

/**
 * Whether two parties hold tokens of the session. A second use within the grace period counts as a lost response if the
 * successor is unused. The successor is then voided, so that its use shows that the response was received after all.
 */
async function isReused(
	transaction: AuthQueryable,
	stored: StoredRefreshToken,
	{ at, graceMs }: { readonly at: Date; readonly graceMs: number },
): Promise<boolean> {
	const { usedAt, voidedAt } = stored;
	if (voidedAt !== null) return true;
	if (usedAt === null) return false;
	if (at.getTime() - usedAt.getTime() > graceMs) return true;
	return !(await voidUnusedSuccessor(transaction, stored, at));
}

async function issue(
	deps: SessionsDeps,
	transaction: AuthQueryable,
	grant: {
		readonly user: User;
		readonly session: { readonly id: string; readonly createdAt: Date };
		readonly key: SigningKey;
		readonly at: Date;
		/** The hash of the refresh token that was exchanged. */
		readonly replaces: Buffer | null;
	},
): Promise<IssuedTokens> {
	const { user, session, key, at, replaces } = grant;
	const refreshToken = randomBytes(32).toString('base64url');
	const expiresAt = refreshExpiry(deps, session.createdAt, at);
	await insertRefreshToken(transaction, {
		tokenHash: digest(refreshToken),
		sessionId: session.id,
		expiresAt,
		replaces,
	});
	const claims = {
		userId: user.id,
		roles: user.roles,
		roleScopes: user.roleScopes,
		memberId: user.memberId ?? undefined,
		accountVersion: user.version,
		sessionId: session.id,
	};
	const access = deps.signer.sign(claims, key);
	return {
		accessToken: access.token,
		accessExpiresAt: access.expiresAt,
		refreshToken,
		refreshExpiresAt: expiresAt,
		sessionId: session.id,
		user,
	};
}

function refreshExpiry(deps: SessionsDeps, sessionCreatedAt: Date, at: Date): Date {
	return new Date(
		Math.min(at.getTime() + deps.refreshTokenMs, sessionCreatedAt.getTime() + deps.sessionMsMax),
	);
}

/** Tokens are looked up by digest, so that timing discloses nothing about a guess. */
function digest(refreshToken: string): Buffer {
	return hash('sha256', refreshToken, 'buffer');
}
