import type { IncomingHttpHeaders } from 'node:http';
import type { CommonErrorCode } from '@paddock/contract';
import { failedPartHeader } from './headers.ts';

/** The condition under which a failed attempt is retried on another instance. */
type Retry = 'anyMethod' | 'safeMethods' | 'never';

export interface FailureRow {
	/** The code of the response to the client, from which its status follows. */
	readonly code: CommonErrorCode;
	/** Whether the instance's breaker counts it. Otherwise it is neither failure nor success. */
	readonly blamesInstance: boolean;
	/** Whether the metrics count it as a failure of an upstream attempt. */
	readonly isUpstream: boolean;
	readonly retry: Retry;
	/** For the client; by default that of the code. */
	readonly message?: string;
}

/** All failures between the gateway and a service. Status, metrics, breaker and retry derive from this table. */
export const failureTable = {
	/** The connection was refused or could not be routed; nothing was sent. */
	unreachable: {
		...{ code: 'UPSTREAM_ERROR', blamesInstance: true, isUpstream: true, retry: 'anyMethod' },
		message: 'The service cannot be reached.',
	},
	/** The connection was not made in time; nothing was sent. */
	connectTimeout: {
		...{ code: 'UPSTREAM_ERROR', blamesInstance: true, isUpstream: true, retry: 'anyMethod' },
		message: 'The service does not accept connections in time.',
	},
	/** Connected, but no response headers in time. The service may have done the work. */
	responseTimeout: { code: 'UPSTREAM_TIMEOUT', blamesInstance: true, isUpstream: true, retry: 'safeMethods' },
	/** The connection broke before the response headers. The service may have done the work. */
	reset: {
		...{ code: 'UPSTREAM_ERROR', blamesInstance: true, isUpstream: true, retry: 'safeMethods' },
		message: 'The service closed the connection before it responded.',
	},
	/** A keep-alive connection was already closed when it was reused: a race, not a fault of the instance. */
	staleConnection: {
		...{ code: 'UPSTREAM_ERROR', blamesInstance: false, isUpstream: true, retry: 'safeMethods' },
		message: 'The service closed the connection before it responded.',
	},
	/** The response is not valid HTTP. */
	invalidResponse: { code: 'UPSTREAM_ERROR', blamesInstance: true, isUpstream: true, retry: 'safeMethods' },
	/** The response body was truncated or stalled for too long; the client has received a part of it. */
	cutOff: { code: 'UPSTREAM_ERROR', blamesInstance: true, isUpstream: true, retry: 'never' },
	/** The client disconnected. */
	clientAborted: { code: 'REQUEST_TIMEOUT', blamesInstance: false, isUpstream: false, retry: 'never' },
	/** The instance's circuit breaker is open; nothing was sent. */
	circuitOpen: { code: 'CIRCUIT_OPEN', blamesInstance: false, isUpstream: true, retry: 'anyMethod' },
	/** The registry lists no instance. */
	noInstances: { code: 'SERVICE_UNAVAILABLE', blamesInstance: false, isUpstream: true, retry: 'never' },
	/** The instance's bulkhead and its queue are full; nothing was sent. */
	overloaded: { code: 'OVERLOADED', blamesInstance: false, isUpstream: true, retry: 'anyMethod' },
} as const satisfies Record<string, FailureRow>;

export type FailureKind = keyof typeof failureTable;

/** Why an upstream attempt failed: a failure, or a response whose status means that the service is unavailable. */
export type FailureLabel = FailureKind | 'failureStatus';

interface ResponseHead {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
}

/** An attempt that failed before any byte of a response was sent to the client. */
export class UpstreamFailure extends Error {
	override readonly name = 'UpstreamFailure';
	readonly kind: FailureKind;

	constructor(kind: FailureKind, cause?: unknown) {
		super(`upstream failure: ${kind}`, cause === undefined ? undefined : { cause });
		this.kind = kind;
	}
}

/**
 * Responses by which a service, or a proxy in front of it, reports that it is unavailable; its breaker counts them. A response
 * that names a failed part is not one of them: the instance works, and a retry would fail the same way.
 */
export function isFailureResponse({ status, headers }: ResponseHead): boolean {
	return (status === 502 || status === 503 || status === 504) && headers[failedPartHeader] === undefined;
}

// RFC 9110 §9.2.1: safe methods, which change nothing.
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may be sent again although a service may have acted on it. */
export function isSafe(method: string): boolean {
	return safeMethods.has(method);
}

/** Whether a request may be sent once more after this failure: an unsafe one only if the first attempt sent nothing. */
export function mayRetry(kind: FailureKind, method: string): boolean {
	const { retry } = failureTable[kind];
	return retry === 'anyMethod' || (retry === 'safeMethods' && safeMethods.has(method));
}

/**
 * Whether a failure response may be replaced by that of a retry. Another instance may still reach the database, e.g. if the
 * pool of this one is exhausted; another dependency is the same for all.
 */
export function mayRetryResponse(response: ResponseHead, method: string): boolean {
	const lacksDatabase = response.status === 503 && response.headers[failedPartHeader] === 'database';
	return (isFailureResponse(response) || lacksDatabase) && safeMethods.has(method);
}

/**
 * Whether a retry counts against the budget, which keeps retries from doubling the load of a failing service. An attempt that
 * reached no service does not count: otherwise the crash of one of two instances would exhaust the budget at once, and
 * requests would fail although the other instance has capacity (docs/decisions/0007).
 */
export function spendsBudget(kind: FailureKind): boolean {
	return failureTable[kind].retry !== 'anyMethod' && kind !== 'staleConnection';
}
