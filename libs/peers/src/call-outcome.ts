import { type ApiError, apiError } from '@paddock/contract';
import { type AttemptFailure, attemptFailures } from '@paddock/upstream';

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

export type NoInstanceAvailable =
	| { readonly kind: 'noInstances' }
	| { readonly kind: 'circuitOpen'; readonly waitMs: number };

type CallFailure = Extract<CallOutcome, { kind: FailureKind }>;

export function isFailure(outcome: CallOutcome | NoInstanceAvailable): outcome is CallFailure {
	return outcome.kind in callFailures;
}

// Long enough to notice a restart, short enough for clients to retry.
const retryAfterMs = 2_000;

type Ending = CallOutcome | NoInstanceAvailable;

/** The error for the caller of a failed service. It names the context, never an address. */
export function peerError(service: string, ending: Ending): ApiError {
	if (ending.kind !== 'timeout') return unavailable(service, ending);
	return apiError('UPSTREAM_TIMEOUT', detailsOf(service, ending));
}

/** SERVICE_UNAVAILABLE, whatever the reason. */
export function unavailable(service: string, ending: Ending): ApiError {
	const waitMs = ending.kind === 'circuitOpen' ? ending.waitMs : retryAfterMs;
	return apiError('SERVICE_UNAVAILABLE', { ...detailsOf(service, ending), retryAfterMs: waitMs });
}

function detailsOf(service: string, ending: Ending) {
	const reason = 'cause' in ending ? { cause: ending.cause } : undefined;
	return {
		cause: new Error(`${service}: ${ending.kind}`, reason),
		// The gateway reads this header: a peer's failure must not count as a failure of the reporting service.
		headers: { 'X-Failed-Part': service },
		context: { context: service.replace(/-service$/, '') },
	};
}
