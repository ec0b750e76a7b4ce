import { type ApiError, apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { AuthDatabase, AuthQueryable } from '../database-schema.ts';
import type { User } from '../users/store.ts';
import {
	type AddressLimits,
	judgeAddress,
	judgeSeries,
	type SeriesLimits,
	type Verdict,
} from './sign-in-limits.ts';
import type { SignInMetrics } from './sign-in-metrics.ts';
import {
	accountSeries,
	deviceSeries,
	factorSeries,
	type SignInSource,
	type Subject,
	sessionSeries,
	subjectOf,
} from './sign-in-subject.ts';
import {
	type CountedFailures,
	countFailures,
	deleteFailure,
	forgiveSeries,
	forgiveSubject,
	insertFailure,
	lockSubject,
} from './store.ts';

/** An admitted attempt. It counts as a failure until it is decided. */
interface Attempt {
	/** The password was right. */
	succeeded(): Promise<void>;
	/** The password was wrong. */
	failed(): void;
	/** The password was not compared, for instance because the database was lost. */
	undecided(): Promise<void>;
}

export interface SignInThrottle {
	/**
	 * Checks whether an attempt would be admitted now, without counting it, so that a refused attempt is not queued.
	 * @throws ApiError like `admit`
	 */
	check(source: SignInSource): Promise<void>;
	/**
	 * Counts an attempt as failed before its password is compared, so that concurrent attempts can't exceed the limits.
	 * Counted in the database, for all instances together.
	 * @throws ApiError RATE_LIMITED or ACCOUNT_LOCKED, both with Retry-After
	 */
	admit(source: SignInSource): Promise<Attempt>;
}

interface SignInThrottleDeps {
	readonly db: AuthDatabase;
	readonly now: () => Date;
	readonly seriesLimits: SeriesLimits;
	readonly addressLimits: AddressLimits;
	readonly metrics: SignInMetrics;
}

/**
 * Throttles attempts by (account, known device), by account for all unknown devices together, and by client address for
 * unknown devices (OWASP, device cookies): others can lock out unknown devices only.
 */
export function createSignInThrottle(deps: SignInThrottleDeps): SignInThrottle {
	const { db, now, seriesLimits, addressLimits, metrics } = deps;
	const refuseWhereBlocked = async (
		queryable: AuthQueryable,
		{ source, subject }: { source: SignInSource; subject: Subject },
		at: Date,
	): Promise<CountedFailures> => {
		const counted = await countFailures(queryable, subject, at);
		const verdicts = {
			series: judgeSeries(seriesLimits, counted.series, at),
			address: judgeAddress(addressLimits, counted.address, at),
		};
		const refusal = refusalOf(source, verdicts);
		if (refusal === undefined) return counted;
		metrics.attempt(source.kind, refusal.outcome);
		throw refusal.error;
	};
	return {
		check: async (source) => {
			await refuseWhereBlocked(db, { source, subject: subjectOf(source) }, now());
		},
		admit: async (source) => {
			const subject = subjectOf(source);
			const { id, counted } = await inTransaction(db, async (transaction) => {
				await lockSubject(transaction, subject);
				const at = now();
				const before = await refuseWhereBlocked(transaction, { source, subject }, at);
				const failure = {
					now: at,
					seriesUntil: new Date(at.getTime() + seriesLimits.lockMs),
					addressUntil: new Date(at.getTime() + addressLimits.windowMs),
				};
				return { id: await insertFailure(transaction, subject, failure), counted: before };
			});
			return {
				succeeded: async () => {
					metrics.attempt(source.kind, 'succeeded');
					await inTransaction(db, async (transaction) => {
						await lockSubject(transaction, subject);
						await forgiveSubject(transaction, subject, now());
					});
				},
				failed: () => {
					metrics.attempt(source.kind, 'failed');
					if (counted.series.failures + 1 === seriesLimits.failuresMax) metrics.locked(source.kind);
					if (subject.addressKey !== undefined && counted.address.failures + 1 === addressLimits.failuresMax)
						metrics.locked('address');
				},
				undecided: () => deleteFailure(db, id),
			};
		},
	};
}

const throttledOutcomes = ['locked', 'delayed', 'addressLimited'] as const;
export type ThrottledOutcome = (typeof throttledOutcomes)[number];

/** Whether the cause of an ApiError is that of a refusal by the throttle. */
export function isThrottled(cause: unknown): cause is ThrottledOutcome {
	return throttledOutcomes.some((outcome) => outcome === cause);
}

interface Refusal {
	readonly outcome: ThrottledOutcome;
	/** The error for the caller; the outcome is its cause. */
	readonly error: ApiError;
}

function refusalOf(
	source: SignInSource,
	{ series, address }: { readonly series: Verdict; readonly address: Verdict },
): Refusal | undefined {
	const waits = [series, address].flatMap((verdict) =>
		verdict.kind === 'open' ? [] : [verdict.retryAfterMs],
	);
	if (waits.length === 0) return undefined;
	const retryAfterMs = Math.max(...waits);
	if (series.kind === 'locked') {
		const outcome = 'locked';
		const message = lockMessages[source.kind];
		return { outcome, error: apiError('ACCOUNT_LOCKED', { message, retryAfterMs, cause: outcome }) };
	}
	// An address is not an account, so its limit is reported as a rate limit.
	const outcome = address.kind === 'open' ? 'delayed' : 'addressLimited';
	const message = 'Too many failed attempts. Try again later.';
	return { outcome, error: apiError('RATE_LIMITED', { message, retryAfterMs, cause: outcome }) };
}

const lockMessages: Readonly<Record<SignInSource['kind'], string>> = {
	unknownDevice:
		'The account is locked for new devices. Try again later, or sign in on a device that you have used before.',
	knownDevice: 'Too many failed attempts on this device. Try again later.',
	session: 'Too many failed attempts in this session. Try again later.',
	secondFactor: 'Too many wrong codes. Try again later.',
};

/**
 * Ends the locks and delays of an account for unknown devices, each known device and each session, but not those of
 * client addresses.
 * @returns how many failures counted until now
 */
export async function releaseAccount(db: AuthQueryable, user: User, now: Date): Promise<number> {
	const devices = await db.selectFrom('devices').select('id').where('userId', '=', user.id).execute();
	const sessions = await db
		.selectFrom('sessions')
		.select('id')
		.where('userId', '=', user.id)
		.where('endedAt', 'is', null)
		.execute();
	const series = [
		accountSeries(user.email),
		...devices.map(({ id }) => deviceSeries(id)),
		...sessions.map(({ id }) => sessionSeries(id)),
		...[user, ...devices, ...sessions].map(({ id }) => factorSeries(id)),
	];
	return forgiveSeries(db, series, now);
}
