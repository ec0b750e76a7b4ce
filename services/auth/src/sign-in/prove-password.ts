import type { Logger } from '@paddock/telemetry';
import type { AuthDeps } from '../deps.ts';
import type { User } from '../users/user.ts';
import { findUserByEmail, replaceHash } from '../users/user-repository.ts';
import { queueLineOf, type SignInSource } from './sign-in-subject.ts';

/** A claim to be the user with this e-mail address. */
export interface PasswordClaim {
	/** As stored: in lower case. */
	readonly email: string;
	readonly password: string;
	readonly source: SignInSource;
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
	const { source, signal, log } = claim;
	await deps.throttle.check(source);
	const turn = { ...queueLineOf(source), signal };
	return deps.passwordQueue.run(turn, async () => {
		const attempt = await deps.throttle.admit(source);
		let user: User | undefined;
		try {
			user = await userWithPassword(deps, claim);
		} catch (error) {
			// The original error is returned to the client; counting the attempt as failed is the safe default.
			await attempt.undecided().catch((cause: unknown) => {
				log.warn('an undecided sign-in counts as failed', { error: cause });
			});
			throw error;
		}
		if (user === undefined) attempt.failed();
		else await attempt.succeeded();
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
