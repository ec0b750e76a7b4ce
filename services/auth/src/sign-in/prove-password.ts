import { ApiError } from '@paddock/contract';
import type { Logger } from '@paddock/telemetry';
import type { AuthDeps } from '../deps.ts';
import { findUserByEmail, replaceHash, type User } from '../users/store.ts';
import { type PasswordSource, queueLineOf } from './sign-in-subject.ts';
import { isThrottled, type ThrottledOutcome } from './sign-in-throttle.ts';

/** A claim to be the user with this e-mail address. */
interface PasswordClaim {
	/** As stored: in lower case. */
	readonly email: string;
	readonly password: string;
	readonly source: PasswordSource;
	/** The client's address. */
	readonly address: string;
	readonly signal: AbortSignal;
	readonly log: Logger;
}

type PasswordDeps = Pick<AuthDeps, 'db' | 'throttle' | 'passwordQueue' | 'passwordHash'>;

/**
 * Returns the user if the password matches, otherwise undefined. Unknown users, closed accounts and wrong passwords
 * take the same path and the same time (OWASP ASVS 5 §6.3.8): the throttle, one query, one hash.
 * @throws ApiError RATE_LIMITED, ACCOUNT_LOCKED after failures; OVERLOADED if the queue for hashes is full.
 */
export async function provePassword(deps: PasswordDeps, claim: PasswordClaim): Promise<User | undefined> {
	const { source, signal } = claim;
	const turn = { ...queueLineOf(source), signal };
	try {
		await deps.throttle.check(source);
		return await deps.passwordQueue.run(turn, () => compare(deps, claim));
	} catch (error) {
		if (error instanceof ApiError && isThrottled(error.cause)) {
			const found = await findUserByEmail(deps.db, claim.email);
			logRefusal(claim, found?.user.id, error.cause);
		}
		throw error;
	}
}

async function compare(deps: PasswordDeps, claim: PasswordClaim): Promise<User | undefined> {
	const attempt = await deps.throttle.admit(claim.source);
	let proof: Proof;
	try {
		proof = await proofOf(deps, claim);
	} catch (error) {
		// The original error is returned to the client; counting the attempt as failed is the safe default.
		await attempt.undecided().catch((cause: unknown) => {
			claim.log.warn('an undecided sign-in counts as failed', { error: cause });
		});
		throw error;
	}
	if (proof.user === undefined) {
		attempt.failed();
		logRefusal(claim, proof.userId, proof.reason);
	} else await attempt.succeeded();
	return proof.user;
}

type Proof =
	| { readonly user: User }
	| { readonly user: undefined; readonly userId: string | undefined; readonly reason: RefusalReason };

async function proofOf(
	{ db, passwordHash }: PasswordDeps,
	{ email, password }: PasswordClaim,
): Promise<Proof> {
	const found = await findUserByEmail(db, email);
	const matches = await passwordHash.verify(found?.passwordHash, password);
	if (found === undefined) return { user: undefined, userId: undefined, reason: 'unknownAccount' };
	const userId = found.user.id;
	if (!matches) return { user: undefined, userId, reason: 'wrongPassword' };
	if (found.user.status === 'CLOSED') return { user: undefined, userId, reason: 'accountClosed' };
	if (passwordHash.isOutdated(found.passwordHash)) {
		await replaceHash(db, userId, { from: found.passwordHash, to: await passwordHash.hash(password) });
	}
	return { user: found.user };
}

type RefusalReason =
	| ThrottledOutcome
	| 'unknownAccount'
	| 'wrongPassword'
	| 'accountClosed'
	| 'accountSuspended'
	| 'accountLocked';

/**
 * One line for each refused password. An unknown account has no id; its e-mail address is not logged, because users
 * also type their passwords into that field.
 */
export function logRefusal(
	{ log, source, address }: Pick<PasswordClaim, 'log' | 'source' | 'address'>,
	userId: string | undefined,
	reason: RefusalReason,
): void {
	log.info('sign-in refused', { userId, address, source: source.kind, reason });
}
