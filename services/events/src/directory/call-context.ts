/** Context of a call to another service; a route's request is one. */
export interface CallContext {
	readonly requestId: string;
	/** Aborted when the caller no longer waits for the response. */
	readonly signal: AbortSignal;
	/** W3C Trace Context. */
	readonly traceparent: string;
}
