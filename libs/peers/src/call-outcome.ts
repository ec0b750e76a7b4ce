/** Why an attempt at one instance failed. */
export type FailureKind = keyof typeof callFailures;

interface FailureRow {
	/** Whether the instance's breaker counts it; a disagreement between the two services is not the instance's failure. */
	readonly blamesInstance: boolean;
	/** Whether another attempt may succeed. Every request of this library may be sent twice. */
	readonly retry: boolean;
	/** Whether a retry counts against the budget: the first attempt may have caused work. docs/decisions/0007 */
	readonly spendsBudget: boolean;
}

/** Everything that can go wrong with one attempt. Breaker, retry, retry budget and metric read this table. */
export const callFailures = {
	/** No connection was made. */
	unreachable: { blamesInstance: true, retry: true, spendsBudget: false },
	/** The connection broke before the response was complete. */
	reset: { blamesInstance: true, retry: true, spendsBudget: true },
	/** A kept-alive connection was already closed when it was used again: a race, not a failure of the instance. */
	staleConnection: { blamesInstance: false, retry: true, spendsBudget: false },
	/** No complete response in time. */
	timeout: { blamesInstance: true, retry: true, spendsBudget: true },
	/** 502, 503 or 504: it can't at the moment. */
	unavailable: { blamesInstance: true, retry: true, spendsBudget: true },
	/** Any other status that is no success, a redirect included: one of the two services has a bug. */
	refused: { blamesInstance: false, retry: false, spendsBudget: true },
	/** No envelope, or data of another shape, or more of it than an answer may have. */
	unusable: { blamesInstance: false, retry: false, spendsBudget: true },
} as const satisfies Record<string, FailureRow>;

/** The result of one attempt. `cause` is for the log. */
export type CallOutcome =
	| { readonly kind: 'answered'; readonly data: unknown }
	| { readonly kind: 'notFound' }
	| { readonly kind: 'unauthenticated' }
	| { readonly kind: FailureKind; readonly cause: unknown };

/** Why nothing was sent at all. */
export type NoInstanceAvailable =
	| { readonly kind: 'noInstances' }
	| { readonly kind: 'circuitOpen'; readonly waitMs: number };

export type CallFailure = Extract<CallOutcome, { kind: FailureKind }>;

export function isFailure(outcome: CallOutcome): outcome is CallFailure {
	return outcome.kind in callFailures;
}
