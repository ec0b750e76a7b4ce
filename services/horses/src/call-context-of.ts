import type { Call, CallContext } from './deps.ts';

/** The fields of a request that are passed to calls of other services. */
export function callContextOf({ requestId, signal, traceparent }: Call): CallContext {
	return { requestId, signal, traceparent };
}
