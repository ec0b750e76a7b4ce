import { createHash } from 'node:crypto';
import { type ApiError, fail } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { AuthDatabase, AuthQueryable } from '../auth-database.ts';
import { addressKey } from './address-key.ts';
import {
	deleteFailure,
	forgiveSubject,
	getFailureSeries,
	insertFailure,
	lockSubject,
	type Subject,
} from './sign-in-failure-repository.ts';
import { judge, type SignInLimits } from './sign-in-limits.ts';

/** An attempt that was let through. Until it is decided it counts as a failure. */
export interface Attempt {
	/** The password was right. */
	succeeded(): Promise<void>;
	/** Nothing was found out about the password, for instance because the database went away. */
	undecided(): Promise<void>;
}

export interface SignInThrottle {
	/**
	 * Whether an attempt would be let through now; counts nothing. Spares a refused one the wait for its turn.
	 * @throws ApiError like `admit`
	 */
	check(email: string, address: string): Promise<void>;
	/**
	 * Counts an attempt as failed before its password is looked at: of attempts that come all at once none gets past the
	 * limits. Counted in the database, for all instances together.
	 * @throws ApiError RATE_LIMITED or ACCOUNT_LOCKED, both saying when to come again
	 */
	admit(email: string, address: string): Promise<Attempt>;
}

export interface SignInThrottleDeps {
	readonly db: AuthDatabase;
	readonly now: () => Date;
	readonly accountLimits: SignInLimits;
	readonly addressLimits: SignInLimits;
}

/** Accounts are told apart by the address that was typed, whether there is an account or not (OWASP ASVS 5 §6.3.8). */
export function createSignInThrottle(deps: SignInThrottleDeps): SignInThrottle {
	const { db, now, accountLimits, addressLimits } = deps;
	const refuseWhereBlocked = async (queryable: AuthQueryable, subject: Subject, at: Date): Promise<void> => {
		const series = await getFailureSeries(queryable, subject, at);
		const refusal = refusalOf(
			judge(accountLimits, series.account, at),
			judge(addressLimits, series.address, at),
		);
		if (refusal !== undefined) throw refusal;
	};
	return {
		check: (email, address) => refuseWhereBlocked(db, subjectOf(email, address), now()),
		admit: async (email, address) => {
			const subject = subjectOf(email, address);
			const id = await inTransaction(db, async (transaction) => {
				await lockSubject(transaction, subject);
				const at = now();
				await refuseWhereBlocked(transaction, subject, at);
				return insertFailure(transaction, subject, {
					now: at,
					accountUntil: new Date(at.getTime() + accountLimits.lockMs),
					addressUntil: new Date(at.getTime() + addressLimits.lockMs),
				});
			});
			return {
				succeeded: () =>
					inTransaction(db, async (transaction) => {
						await lockSubject(transaction, subject);
						await forgiveSubject(transaction, subject, now());
					}),
				undecided: () => deleteFailure(db, id),
			};
		},
	};
}

function refusalOf(
	account: ReturnType<typeof judge>,
	address: ReturnType<typeof judge>,
): ApiError | undefined {
	const waits = [account, address].flatMap((verdict) =>
		verdict.kind === 'open' ? [] : [verdict.retryAfterMs],
	);
	if (waits.length === 0) return undefined;
	const retryAfterMs = Math.max(...waits);
	// An address is nobody's account: what is locked there is told as a limit.
	if (account.kind === 'locked') return fail('ACCOUNT_LOCKED', { retryAfterMs });
	return fail('RATE_LIMITED', { message: 'Too many failed attempts. Try again later.', retryAfterMs });
}

/** Hashed, so that the table tells nobody who tried to sign in from where. */
function subjectOf(email: string, address: string): Subject {
	return {
		accountKey: digest(`account ${email}`),
		addressKey: digest(`address ${addressKey(address)}`),
	};
}

function digest(text: string): string {
	return createHash('sha256').update(text).digest('base64url');
}
