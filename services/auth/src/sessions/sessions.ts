import { createHmac, hash, randomBytes } from 'node:crypto';
import { apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { SigningKey, TokenSigner } from '@paddock/identity';
import type { Jobs } from '@paddock/jobs';
import type { Logger } from '@paddock/telemetry';
import type { AuthDatabase, AuthQueryable, AuthSchema } from '../database-schema.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import type { Represented } from '../member-links/rules.ts';
import { findRepresented } from '../member-links/store.ts';
import { revokeSessions } from '../revocations/store.ts';
import type { MfaRequirement } from '../second-factor/policy.ts';
import { hasSecondFactor } from '../second-factor/store.ts';
import { claimsOf } from '../users/rules.ts';
import { noteSignIn, type User } from '../users/store.ts';
import { sessionEndedMail } from './session-mails.ts';
import {
	endSession,
	findSessionUser,
	findUnusedSuccessor,
	insertRefreshToken,
	insertSession,
	lockRefreshToken,
	markUsed,
	noteAuthentication,
	noteUse,
	type StoredRefreshToken,
	type Successor,
} from './store.ts';

/** The tokens of a sign-in or refresh. */
export interface IssuedTokens {
	readonly accessToken: string;
	readonly accessExpiresAt: Date;
	readonly refreshToken: string;
	readonly refreshExpiresAt: Date;
	readonly sessionId: string;
	readonly user: User;
}

/** How the user of a new session was authenticated, and where. */
interface SignInProof {
	/** Authentication methods, RFC 8176. */
	readonly methods: readonly string[];
	/** Header of the sign-in, which names the device for its owner. */
	readonly userAgent: string | undefined;
}

export interface Sessions {
	/**
	 * Opens a session for `user`, whose password was verified and who is active; undefined if either has changed since
	 * `user` was read, or if the account has or needs a second factor that was not proven. Records the sign-in.
	 */
	open(user: User, proof: SignInProof): Promise<IssuedTokens | undefined>;
	/** Records a further authentication in a session and returns an access token that shows it. */
	authenticateAgain(
		user: User,
		sessionId: string,
		methods: readonly string[],
	): Promise<Pick<IssuedTokens, 'accessToken' | 'accessExpiresAt'>>;
	/**
	 * Exchanges a refresh token for its successor, from then on the only usable one of its session; roles and status are
	 * read again. A second use within the grace returns the same successor if that is unused.
	 * Refused if the user must have a second factor and the session was opened without.
	 * @throws ApiError INVALID_TOKEN, the same for every cause.
	 */
	refresh(refreshToken: string, log: Logger): Promise<IssuedTokens>;
}

interface SessionsDeps {
	readonly db: AuthDatabase;
	readonly keys: SigningKeys;
	readonly signer: TokenSigner;
	readonly isMfaRequired: MfaRequirement;
	readonly now: () => Date;
	readonly jobs: Pick<Jobs<AuthSchema>, 'enqueue'>;
	readonly refreshTokenMs: number;
	/**
	 * Time during which a token may be used again if its successor is unused: the response may have been lost, or two tabs
	 * refresh at once.
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

	return {
		open: async (user, { methods, userAgent }) => {
			const key = await deps.keys.signing();
			return inTransaction(db, async (transaction) => {
				const at = now();
				const signedIn = await noteSignIn(transaction, user, at);
				if (signedIn === undefined) return undefined;
				// Under the lock of the account: a factor may have been enrolled since the sign-in looked for one.
				const lacksFactor = async () =>
					deps.isMfaRequired(signedIn) || (await hasSecondFactor(transaction, user.id));
				if (!methods.includes('mfa') && (await lacksFactor())) return undefined;
				const id = await insertSession(transaction, {
					userId: user.id,
					createdAt: at,
					expiresAt: refreshExpiry(deps, at, at),
					userAgent: userAgent?.slice(0, userAgentMax) ?? null,
					lastUsedAt: at,
					authenticatedAt: at,
					amr: [...methods],
				});
				const session = { id, createdAt: at, authenticatedAt: at, amr: methods };
				const token = randomBytes(32).toString('base64url');
				const refresh = await storeToken(deps, transaction, token, { session, at });
				const represented = await findRepresented(transaction, user.id, at);
				return issued(deps, { user: signedIn, represented, session, key, refresh });
			});
		},
		authenticateAgain: async (user, sessionId, methods) => {
			const key = await deps.keys.signing();
			const at = now();
			const noted = await noteAuthentication(db, sessionId, methods, at);
			const represented = await findRepresented(db, user.id, at);
			return signed(deps, { user, represented, session: { id: sessionId, ...noted }, key });
		},
		refresh: async (refreshToken, log) => {
			const key = await deps.keys.signing();
			const outcome = await inTransaction(db, (transaction) =>
				exchange(deps, transaction, refreshToken, key),
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

async function exchange(
	deps: SessionsDeps,
	transaction: AuthQueryable,
	refreshToken: string,
	key: SigningKey,
): Promise<IssuedTokens | Refusal> {
	const stored = await lockRefreshToken(transaction, digest(refreshToken));
	const at = deps.now();
	if (stored === undefined || stored.sessionEndedAt !== null || stored.expiresAt <= at)
		return { kind: 'refused' };
	const isFirstUse = stored.usedAt === null && stored.voidedAt === null;
	const successor = isFirstUse ? undefined : await usableSuccessor(deps, transaction, stored, at);
	if (!isFirstUse && successor === undefined) {
		const ended = await endSession(transaction, stored.sessionId, at);
		const owner = { userId: stored.userId };
		if (ended.length > 0) await enqueueAccountMail({ jobs: deps.jobs, transaction }, sessionEndedMail, owner);
		await revokeSessions(transaction, ended, at);
		return { kind: 'reused', stored };
	}
	const { sessionId: id, userId, sessionCreatedAt: createdAt, authenticatedAt, amr } = stored;
	const session = { id, userId, createdAt, authenticatedAt, amr };
	const user = await findSessionUser(transaction, session, at);
	if (user === undefined) return { kind: 'refused' };
	// The account has become an administrator's, or REQUIRE_MFA was set, after the sign-in.
	if (deps.isMfaRequired(user) && amr?.includes('mfa') !== true) return { kind: 'refused' };
	// After the account: a link that is changed in between belongs to a later version, and the token is revoked.
	const represented = await findRepresented(transaction, user.id, at);
	const grant = { user, represented, session, key };
	if (successor !== undefined) {
		const token = derived(refreshToken, successor.nonce);
		return issued(deps, { ...grant, refresh: { token, expiresAt: successor.expiresAt } });
	}
	await markUsed(transaction, stored.hash, at);
	await noteUse(transaction, stored.sessionId, at);
	const exchanged = { replaces: stored.hash, nonce: randomBytes(32) };
	const token = derived(refreshToken, exchanged.nonce);
	const refresh = await storeToken(deps, transaction, token, { session, at, exchanged });
	return issued(deps, { ...grant, refresh });
}

/** The successor that a second use returns; undefined if two parties hold tokens of the session. */
async function usableSuccessor(
	{ graceMs }: SessionsDeps,
	transaction: AuthQueryable,
	stored: StoredRefreshToken,
	at: Date,
): Promise<Successor | undefined> {
	const { usedAt, voidedAt } = stored;
	if (voidedAt !== null || usedAt === null) return undefined;
	if (at.getTime() - usedAt.getTime() > graceMs) return undefined;
	return findUnusedSuccessor(transaction, stored);
}

/** Start of a session, and the last authentication in it. */
interface OpenSession {
	readonly id: string;
	readonly createdAt: Date;
	/** Null of sessions from versions before second factors, as are the methods. */
	readonly authenticatedAt: Date | null;
	readonly amr: readonly string[] | null;
}

/** More than browsers send. */
const userAgentMax = 300;

interface RefreshToken {
	readonly token: string;
	readonly expiresAt: Date;
}

/**
 * The successor of a refresh token. It follows from the token of the caller, of which only the digest is stored, and from a
 * nonce that only the database has: a second use can return it again, and neither a stolen database nor a stolen token alone
 * yields it.
 */
function derived(refreshToken: string, nonce: Buffer): string {
	return createHmac('sha256', refreshToken).update(nonce).digest('base64url');
}

async function storeToken(
	deps: SessionsDeps,
	transaction: AuthQueryable,
	token: string,
	{
		session,
		at,
		exchanged,
	}: {
		readonly session: OpenSession;
		readonly at: Date;
		/** The hash of the refresh token that was exchanged, and the nonce of its successor; absent at a sign-in. */
		readonly exchanged?: { readonly replaces: Buffer; readonly nonce: Buffer };
	},
): Promise<RefreshToken> {
	const expiresAt = refreshExpiry(deps, session.createdAt, at);
	await insertRefreshToken(transaction, {
		tokenHash: digest(token),
		sessionId: session.id,
		expiresAt,
		replaces: exchanged?.replaces ?? null,
		nonce: exchanged?.nonce ?? null,
	});
	return { token, expiresAt };
}

/** What an access token states. */
interface Grant {
	readonly user: User;
	/** The members that the account acts for besides its own. */
	readonly represented: Represented;
	readonly session: OpenSession;
	readonly key: SigningKey;
}

function issued(deps: SessionsDeps, grant: Grant & { readonly refresh: RefreshToken }): IssuedTokens {
	const { user, session, refresh } = grant;
	return {
		...signed(deps, grant),
		refreshToken: refresh.token,
		refreshExpiresAt: refresh.expiresAt,
		sessionId: session.id,
		user,
	};
}

function signed(
	deps: SessionsDeps,
	{ user, represented, session, key }: Grant,
): Pick<IssuedTokens, 'accessToken' | 'accessExpiresAt'> {
	const { id: sessionId, createdAt, authenticatedAt, amr } = session;
	const claims = {
		userId: user.id,
		...claimsOf(user),
		// As the other claims: none before the address is verified.
		...(user.emailVerifiedAt === null ? {} : represented),
		accountVersion: user.version,
		sessionId,
		authenticatedAt: authenticatedAt ?? createdAt,
		authenticationMethods: amr ?? ['pwd'],
	};
	const access = deps.signer.sign(claims, key);
	return { accessToken: access.token, accessExpiresAt: access.expiresAt };
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
