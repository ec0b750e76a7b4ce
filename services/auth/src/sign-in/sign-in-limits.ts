/** How failures slow further attempts down; for one subject: an account, or an address. */
export interface SignInLimits {
	/** So many failures go without a delay. */
	readonly freeFailures: number;
	/** After the first failure beyond these; doubles with each further one. */
	readonly delayMs: number;
	/** With so many failures the subject is locked. */
	readonly failuresMax: number;
	/** For how long; and a series of failures is forgotten so long after its last one. */
	readonly lockMs: number;
}

export type Verdict =
	| { readonly kind: 'open' }
	| { readonly kind: 'delayed'; readonly retryAfterMs: number }
	| { readonly kind: 'locked'; readonly retryAfterMs: number };

/**
 * Whether a subject may try again at `now`, after `failures` in a row of which the last was at `lastFailedAt`.
 * OWASP ASVS 5 §6.3.1: growing delays and a lock that ends by itself, so that a stranger can't shut somebody out for good.
 */
export function judge(
	limits: SignInLimits,
	series: { readonly failures: number; readonly lastFailedAt: Date | undefined },
	now: Date,
): Verdict {
	if (series.lastFailedAt === undefined) return { kind: 'open' };
	const locked = series.failures >= limits.failuresMax;
	const pauseMs = locked ? limits.lockMs : delayMs(limits, series.failures);
	const retryAfterMs = series.lastFailedAt.getTime() + pauseMs - now.getTime();
	if (retryAfterMs <= 0) return { kind: 'open' };
	return { kind: locked ? 'locked' : 'delayed', retryAfterMs };
}

function delayMs(limits: SignInLimits, failures: number): number {
	const beyond = failures - limits.freeFailures;
	return beyond <= 0 ? 0 : Math.min(limits.delayMs * 2 ** (beyond - 1), limits.lockMs);
}
