import type { Call, CallContext } from './deps.ts';

/** The part of a request that calls to other services carry along. */
export function callContextOf({ requestId, signal, traceparent }: Call): CallContext {
	return { requestId, signal, traceparent };
}
