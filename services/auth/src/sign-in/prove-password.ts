import type { Logger } from '@paddock/telemetry';
import type { AuthDeps } from '../auth-deps.ts';
import type { User } from '../users/user.ts';
import { findUserByEmail, replaceHash } from '../users/user-repository.ts';

/** Somebody who claims to be the user with this e-mail address. */
export interface PasswordClaim {
	/** As stored: in lower case. */
	readonly email: string;
	readonly password: string;
	/** Where the claim comes from. */
	readonly address: string;
	readonly signal: AbortSignal;
	readonly log: Logger;
}

type PasswordDeps = Pick<AuthDeps, 'db' | 'throttle' | 'passwordQueue' | 'passwordHash'>;

/**
 * The user whose password it is, or undefined. Unknown users, closed accounts and wrong passwords take the same way and
 * the same time (OWASP ASVS 5 §6.3.8): the throttle, one query, one hash.
 * @throws ApiError RATE_LIMITED, ACCOUNT_LOCKED after failures; OVERLOADED when too many wait for a hash.
 */
export async function provePassword(deps: PasswordDeps, claim: PasswordClaim): Promise<User | undefined> {
	await deps.throttle.check(claim.email, claim.address);
	return deps.passwordQueue.run(claim.signal, async () => {
		const attempt = await deps.throttle.admit(claim.email, claim.address);
		let user: User | undefined;
		try {
			user = await userWithPassword(deps, claim);
		} catch (error) {
			// What went wrong is the answer; that the attempt goes on counting as failed is the safe side.
			await attempt.undecided().catch((cause: unknown) => {
				claim.log.warn('an undecided sign-in counts as failed', { error: cause });
			});
			throw error;
		}
		if (user !== undefined) await attempt.succeeded();
		return user;
	});
}

async function userWithPassword(
	{ db, passwordHash }: PasswordDeps,
	{ email, password }: PasswordClaim,
): Promise<User | undefined> {
	const found = await findUserByEmail(db, email);
	const matches = await passwordHash.verify(found?.passwordHash, password);
	if (found === undefined || !matches || found.user.status === 'CLOSED') return undefined;
	if (passwordHash.isOutdated(found.passwordHash)) {
		await replaceHash(db, found.user.id, { from: found.passwordHash, to: await passwordHash.hash(password) });
	}
	return found.user;
}
