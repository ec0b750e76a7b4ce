/** On whose behalf another service is asked; a route's request is one. */
export interface CallContext {
	readonly requestId: string;
	/** Aborted when nobody waits for the answer any more. */
	readonly signal: AbortSignal;
	/** W3C Trace Context. */
	readonly traceparent: string;
}
