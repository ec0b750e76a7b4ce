import { type ApiError, apiError } from '@paddock/contract';
import type { CallOutcome, NoInstanceAvailable } from './call-outcome.ts';

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
