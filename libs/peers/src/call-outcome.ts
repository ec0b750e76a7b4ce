/** The reason why an attempt at one instance failed. */
type FailureKind = keyof typeof callFailures;

interface FailureRow {
	/**
	 * Whether the instance's circuit breaker counts it; a contract mismatch between the two services is not the
	 * instance's failure.
	 */
	readonly blamesInstance: boolean;
	/** Whether another attempt may succeed. Every request of this library may be sent twice. */
	readonly retry: boolean;
	/** Whether a retry counts against the budget: the first attempt may have caused work. docs/decisions/0007 */
	readonly spendsBudget: boolean;
}

/** All failures of one attempt. Circuit breaker, retry, retry budget and metric read this table. */
export const callFailures = {
	/** No connection was made. */
	unreachable: { blamesInstance: true, retry: true, spendsBudget: false },
	/** The connection broke before the response was complete. */
	reset: { blamesInstance: true, retry: true, spendsBudget: true },
	/** A kept-alive connection was already closed when it was reused: a race, not a failure of the instance. */
	staleConnection: { blamesInstance: false, retry: true, spendsBudget: false },
	/** No complete response in time. */
	timeout: { blamesInstance: true, retry: true, spendsBudget: true },
	/** 502, 503 or 504: temporarily unavailable. */
	unavailable: { blamesInstance: true, retry: true, spendsBudget: true },
	/** 503 because the instance lost its database: another one may have a connection. */
	databaseUnavailable: { blamesInstance: false, retry: true, spendsBudget: true },
	/** 502, 503 or 504 because of another dependency, which the response names: other instances fail alike. */
	dependencyUnavailable: { blamesInstance: false, retry: false, spendsBudget: true },
	/** Any other error status, or a redirect: one of the two services has a bug. */
	refused: { blamesInstance: false, retry: false, spendsBudget: true },
	/** No envelope, data of another shape, or a response above the size limit. */
	unusable: { blamesInstance: false, retry: false, spendsBudget: true },
} as const satisfies Record<string, FailureRow>;

/** The result of one attempt. `cause` is for the log. */
export type CallOutcome =
	| { readonly kind: 'responded'; readonly data: unknown }
	| { readonly kind: 'notFound' }
	| { readonly kind: 'unauthenticated' }
	| { readonly kind: FailureKind; readonly cause: unknown };

/** The reason why no request was sent. */
export type NoInstanceAvailable =
	| { readonly kind: 'noInstances' }
	| { readonly kind: 'circuitOpen'; readonly waitMs: number };

type CallFailure = Extract<CallOutcome, { kind: FailureKind }>;

export function isFailure(outcome: CallOutcome): outcome is CallFailure {
	return outcome.kind in callFailures;
}
