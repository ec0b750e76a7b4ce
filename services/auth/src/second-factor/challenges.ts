import { hash, randomBytes } from 'node:crypto';
import type { ApiError } from '@paddock/contract';
import type { AuthQueryable } from '../database-schema.ts';
import type { AuthDeps } from '../deps.ts';
import { authError } from '../errors.ts';
import type { LinkedIdentity } from '../identities/store.ts';
import type { ProvenSignIn } from '../sign-in/finish-sign-in.ts';
import { secondsUntil } from '../sign-in/schemas.ts';
import { type User, userColumns } from '../users/store.ts';
import { countRecoveryCodes, listSecondFactors } from './store.ts';

/** SECOND_FACTOR: the account has one; ENROLMENT: it must enrol one. */
export type ChallengePurpose = 'SECOND_FACTOR' | 'ENROLMENT';

const tokenBytes = 32;
const challengeMs = 5 * 60_000;

export interface NewChallenge {
	readonly challengeToken: string;
	readonly expiresAt: Date;
}

/** What the first step of a sign-in has proven. */
type FirstStep = Pick<ProvenSignIn, 'user' | 'methods' | 'identity'>;

/**
 * Issues the token with which a sign-in continues after its first step. It is no access token: only the routes below
 * /auth/login accept it, for one sign-in.
 */
async function issueChallenge(
	db: AuthQueryable,
	{ user, methods, identity }: FirstStep,
	purpose: ChallengePurpose,
	now: Date,
): Promise<NewChallenge> {
	const challengeToken = randomBytes(tokenBytes).toString('base64url');
	const expiresAt = new Date(now.getTime() + challengeMs);
	await db
		.insertInto('signInChallenges')
		.values({
			tokenHash: challengeHash(challengeToken),
			userId: user.id,
			purpose,
			passwordChangedAt: user.passwordChangedAt,
			methods: [...methods],
			identity: identity === undefined ? null : JSON.stringify(identity),
			expiresAt,
		})
		.execute();
	return { challengeToken, expiresAt };
}

/** The methods of the second step, as the response to the password lists them. */
type SecondStep = 'TOTP' | 'PASSKEY' | 'RECOVERY_CODE';

/**
 * The error with which a sign-in goes on to its second step; undefined if the first suffices. Call it only after the
 * first was verified.
 */
export async function challengeOf(
	{ db, isMfaRequired, now }: Pick<AuthDeps, 'db' | 'isMfaRequired' | 'now'>,
	first: FirstStep,
): Promise<ApiError | undefined> {
	const { user } = first;
	const factors = await listSecondFactors(db, user.id);
	if (factors.length === 0 && !isMfaRequired(user)) return undefined;
	const isEnrolled = factors.length > 0;
	const at = now();
	const challenge = await issueChallenge(db, first, isEnrolled ? 'SECOND_FACTOR' : 'ENROLMENT', at);
	const { challengeToken } = challenge;
	const expiresIn = secondsUntil(challenge.expiresAt, at);
	if (!isEnrolled)
		return authError('SECOND_FACTOR_ENROLMENT_REQUIRED', { context: { challengeToken, expiresIn } });
	const methods: SecondStep[] = [...new Set(factors.map(({ kind }) => kind))];
	if ((await countRecoveryCodes(db, user.id)) > 0) methods.push('RECOVERY_CODE');
	return authError('SECOND_FACTOR_REQUIRED', { context: { challengeToken, expiresIn, methods } });
}

/**
 * The account of a valid challenge, which stays valid. Its status and password are those of the first step.
 * @throws ApiError SIGN_IN_CHALLENGE_INVALID, the same for every cause
 */
export async function readChallenge(
	db: AuthQueryable,
	challengeToken: string,
	purpose: ChallengePurpose,
	now: Date,
): Promise<User> {
	const user = await db
		.selectFrom('signInChallenges')
		.innerJoin('users', 'users.id', 'signInChallenges.userId')
		.select(userColumns.map((column) => `users.${column}` as const))
		.where('signInChallenges.tokenHash', '=', challengeHash(challengeToken))
		.where('signInChallenges.purpose', '=', purpose)
		.where('signInChallenges.expiresAt', '>', now)
		.whereRef('signInChallenges.passwordChangedAt', '=', 'users.passwordChangedAt')
		.where('users.status', '=', 'ACTIVE')
		.executeTakeFirst();
	if (user === undefined) throw authError('SIGN_IN_CHALLENGE_INVALID');
	return user;
}

/**
 * Uses a challenge and returns what the first step has proven. Of concurrent uses one succeeds.
 * @throws ApiError SIGN_IN_CHALLENGE_INVALID
 */
export async function takeChallenge(
	db: AuthQueryable,
	challengeToken: string,
	now: Date,
): Promise<Omit<FirstStep, 'user'>> {
	const row = await db
		.deleteFrom('signInChallenges')
		.where('tokenHash', '=', challengeHash(challengeToken))
		.where('expiresAt', '>', now)
		.returning(['methods', 'identity'])
		.$narrowType<{ identity: LinkedIdentity | null }>()
		.executeTakeFirst();
	if (row === undefined) throw authError('SIGN_IN_CHALLENGE_INVALID');
	return { methods: row.methods, identity: row.identity ?? undefined };
}

/** Ends all sign-ins of the account that await their second step. */
export async function deleteChallengesOf(db: AuthQueryable, userId: string): Promise<void> {
	await db.deleteFrom('signInChallenges').where('userId', '=', userId).execute();
	await db.deleteFrom('passkeyChallenges').where('userId', '=', userId).execute();
}

export async function deleteExpiredChallenges(db: AuthQueryable, now: Date): Promise<void> {
	await db.deleteFrom('signInChallenges').where('expiresAt', '<=', now).execute();
	await db.deleteFrom('passkeyChallenges').where('expiresAt', '<=', now).execute();
}

/** Lookup by digest leaks nothing about the token through timing. */
export function challengeHash(challengeToken: string): Buffer {
	return hash('sha256', challengeToken, 'buffer');
}
