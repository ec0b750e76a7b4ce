import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { AnswerBody } from './answer-body.ts';

/** A request as it shall go out: only what is here reaches the instance. */
export interface ForwardRequest {
	readonly method: string;
	/** Path and query. */
	readonly url: string;
	readonly headers: OutgoingHttpHeaders;
	/** Undefined = no body. */
	readonly body: Buffer | undefined;
	/** Milliseconds to the response headers. */
	readonly responseTimeoutMs: number;
	/** Milliseconds that the answer's body may stand still before it counts as broken off. */
	readonly idleTimeoutMs: number;
	/** Aborted when the client has left. */
	readonly signal: AbortSignal;
}

/** The head of an answer and its body, which is still coming. */
export interface ForwardAnswer {
	/** 200–599. */
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: AnswerBody;
}

/**
 * Sends requests to one instance, over connections of its own. Which engine does it is decided in `two-lanes.ts`;
 * headers, failures, limits, retries and breakers are outside and the same for every engine.
 */
export interface Forwarder {
	/** Settles at the response headers, so that a long download is no slow call. @throws UpstreamFailure */
	forward(request: ForwardRequest): Promise<ForwardAnswer>;
	/** Closes idle connections; what is in flight may end. */
	close(): void;
}
