import type { CountedFailures } from './store.ts';

/** Limits on the failures of one series: an account's unknown devices, a known device, or a session. */
export interface SeriesLimits {
	/** Failures without a delay. */
	readonly freeFailures: number;
	/** Delay after the first failure beyond `freeFailures`; doubles with each further one. */
	readonly delayMs: number;
	/** Failures that lock the series. */
	readonly failuresMax: number;
	/** Duration of the lock; failures of a series expire this long after the last one. */
	readonly lockMs: number;
}

/** Maximum number of failed attempts from one client address within a sliding window. */
export interface AddressLimits {
	readonly failuresMax: number;
	readonly windowMs: number;
}

export type Verdict =
	| { readonly kind: 'open' }
	| { readonly kind: 'delayed'; readonly retryAfterMs: number }
	| { readonly kind: 'locked'; readonly retryAfterMs: number };

/**
 * Whether a series may continue at `now`, after `failures` consecutive failures, the last at `lastFailedAt`.
 * OWASP ASVS 5 §6.3.1: growing delays and a lock that expires.
 */
export function judgeSeries(limits: SeriesLimits, series: CountedFailures['series'], now: Date): Verdict {
	if (series.lastFailedAt === undefined) return { kind: 'open' };
	const locked = series.failures >= limits.failuresMax;
	const pauseMs = locked ? limits.lockMs : delayMs(limits, series.failures);
	const retryAfterMs = series.lastFailedAt.getTime() + pauseMs - now.getTime();
	if (retryAfterMs <= 0) return { kind: 'open' };
	return { kind: locked ? 'locked' : 'delayed', retryAfterMs };
}

/** Whether a client address may try again at `now`; `nextFreeAt` is when the oldest of its failures leaves the window. */
export function judgeAddress(limits: AddressLimits, window: CountedFailures['address'], now: Date): Verdict {
	if (window.nextFreeAt === undefined || window.failures < limits.failuresMax) return { kind: 'open' };
	return { kind: 'locked', retryAfterMs: Math.max(1, window.nextFreeAt.getTime() - now.getTime()) };
}

function delayMs(limits: SeriesLimits, failures: number): number {
	const beyond = failures - limits.freeFailures;
	return beyond <= 0 ? 0 : Math.min(limits.delayMs * 2 ** (beyond - 1), limits.lockMs);
}
