import type { z } from 'zod';

export type PeerService = `${string}-service`;

/** The part of a request that is needed for calls to other services on its behalf; a route's request satisfies it. */
export interface CallingRequest {
	readonly requestId: string;
	/** Aborted when the caller disconnects or its deadline passes. */
	readonly signal: AbortSignal;
	/** W3C Trace Context. */
	readonly traceparent: string;
}

export interface PeerRequest<T extends z.ZodType> {
	/** The path, e.g. `/internal/members/lookup`; inserted values must already be percent-encoded. */
	readonly path: `/${string}`;
	/** Undefined parameters are omitted. */
	readonly query?: Readonly<Record<string, string | undefined>>;
	/** Sent as JSON with POST instead of GET; the path must accept the same body twice. */
	readonly body?: unknown;
	/** The shape of `data`; unknown keys are dropped, another shape is a failure of the peer. */
	readonly schema: T;
	/** `service`: our own token; `none`: a public address; otherwise the caller's Authorization header, forwarded. */
	readonly credentials: 'service' | 'none' | { readonly authorization: string };
	/** Context of the request on whose behalf it is; without a trace a new one begins at the peer. */
	readonly context: Omit<CallingRequest, 'traceparent'> & Partial<Pick<CallingRequest, 'traceparent'>>;
}

/** Another service, with any of its instances. */
export interface Peer {
	/**
	 * `data` of the response; undefined for NOT_FOUND.
	 * @throws ApiError SERVICE_UNAVAILABLE (with Retry-After) if no instance responds, all breakers are open, or the response
	 * is invalid; UPSTREAM_TIMEOUT at the deadline; the signal's reason when it is aborted.
	 */
	get<T extends z.ZodType>(request: PeerRequest<T>): Promise<z.output<T> | undefined>;
	/** Like `get` for a path that always exists: NOT_FOUND means another version of the service, so SERVICE_UNAVAILABLE. */
	require<T extends z.ZodType>(request: PeerRequest<T>): Promise<z.output<T>>;
}
