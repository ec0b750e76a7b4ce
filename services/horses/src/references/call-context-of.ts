import type { CallContext } from '@paddock/peers';

/** Only the fields that a call to another service needs: a request has further ones, such as its query. */
export function callContextOf({ requestId, signal, traceparent }: CallContext): CallContext {
	return { requestId, signal, traceparent };
}
