import { type AttemptFailure, attemptFailures } from '@paddock/upstream';

/** The reason why an attempt at one instance failed. */
type FailureKind = keyof typeof callFailures;

const mismatch = { blamesInstance: false, retry: 'never', spendsBudget: true } as const;

/** All failures of one attempt. Circuit breaker, retry, retry budget and metric read this table. */
export const callFailures = {
	unreachable: attemptFailures.unreachable,
	reset: attemptFailures.reset,
	staleConnection: attemptFailures.staleConnection,
	/** No complete response in time. */
	timeout: attemptFailures.responseTimeout,
	unavailable: attemptFailures.unavailable,
	databaseUnavailable: attemptFailures.databaseUnavailable,
	dependencyUnavailable: attemptFailures.dependencyUnavailable,
	/** Any other error status, or a redirect: one of the two services has a bug. */
	refused: mismatch,
	/** No envelope, data of another shape, or a response above the size limit. */
	unusable: mismatch,
} as const satisfies Record<string, AttemptFailure>;

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

export function isFailure(outcome: CallOutcome | NoInstanceAvailable): outcome is CallFailure {
	return outcome.kind in callFailures;
}
