import type { IncomingHttpHeaders } from 'node:http';
import type { CommonErrorCode } from '@paddock/contract';
import { failedPartHeader } from './headers.ts';

/** When a failed attempt may be made again, on another instance. */
type Retry = 'anyMethod' | 'safeMethods' | 'never';

interface FailureRow {
	/** The answer to the client; its status follows from the code. */
	readonly code: CommonErrorCode;
	/** Whether the instance's breaker counts it. What is not the instance's fault is neither failure nor success. */
	readonly blamesInstance: boolean;
	/** Whether the metrics count it as a failure of an upstream attempt. */
	readonly isUpstream: boolean;
	readonly retry: Retry;
}

/** Everything that can go wrong between the gateway and a service. Status, metrics, breaker and retry read this table. */
export const failureTable = {
	/** The connection was refused or could not be routed; nothing was sent. */
	unreachable: { code: 'UPSTREAM_ERROR', blamesInstance: true, isUpstream: true, retry: 'anyMethod' },
	/** The connection was not made in time; nothing was sent. */
	connectTimeout: { code: 'UPSTREAM_ERROR', blamesInstance: true, isUpstream: true, retry: 'anyMethod' },
	/** Connected, but no response headers in time. The service may have done the work. */
	responseTimeout: { code: 'UPSTREAM_TIMEOUT', blamesInstance: true, isUpstream: true, retry: 'safeMethods' },
	/** The connection broke before the response headers. The service may have done the work. */
	reset: { code: 'UPSTREAM_ERROR', blamesInstance: true, isUpstream: true, retry: 'safeMethods' },
	/** A kept-alive connection turned out to be closed already when it was used again: a race, nobody's fault. */
	staleConnection: { code: 'UPSTREAM_ERROR', blamesInstance: false, isUpstream: true, retry: 'safeMethods' },
	/** What came back is not HTTP that could be passed on. */
	invalidResponse: { code: 'UPSTREAM_ERROR', blamesInstance: true, isUpstream: true, retry: 'safeMethods' },
	/** The answer broke off in its middle or stood still for too long; the client has a part of it already. */
	cutOff: { code: 'UPSTREAM_ERROR', blamesInstance: true, isUpstream: true, retry: 'never' },
	/** The client left first. */
	clientAborted: { code: 'REQUEST_TIMEOUT', blamesInstance: false, isUpstream: false, retry: 'never' },
	/** The instance rests behind its breaker; nothing was sent. */
	circuitOpen: { code: 'CIRCUIT_OPEN', blamesInstance: false, isUpstream: true, retry: 'anyMethod' },
	/** The registry knows no instance. */
	noInstances: { code: 'SERVICE_UNAVAILABLE', blamesInstance: false, isUpstream: true, retry: 'never' },
	/** As many requests as the instance may have are under way or waiting; nothing was sent. */
	overloaded: { code: 'OVERLOADED', blamesInstance: false, isUpstream: true, retry: 'anyMethod' },
} as const satisfies Record<string, FailureRow>;

export type FailureKind = keyof typeof failureTable;

/** Why an upstream attempt failed: a failure, or a response whose status means that the service is unavailable. */
export type FailureLabel = FailureKind | 'failureStatus';

interface ResponseHead {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
}

/** One attempt that failed before any byte of an answer went to the client. */
export class UpstreamFailure extends Error {
	override readonly name = 'UpstreamFailure';
	readonly kind: FailureKind;

	constructor(kind: FailureKind, cause?: unknown) {
		super(`upstream failure: ${kind}`, cause === undefined ? undefined : { cause });
		this.kind = kind;
	}
}

/**
 * Answers by which a service, or what stands before it, says that it can't work; its breaker counts them. One that names
 * a failed part is none: the instance works, and would be as helpless at a second try.
 */
export function isFailureResponse({ status, headers }: ResponseHead): boolean {
	return (status === 502 || status === 503 || status === 504) && headers[failedPartHeader] === undefined;
}

// RFC 9110 §9.2.1: asking again changes nothing.
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

/** Whether an answer that is a failure may be replaced by another try. */
export function mayRetryResponse(response: ResponseHead, method: string): boolean {
	return isFailureResponse(response) && safeMethods.has(method);
}

/**
 * Whether a retry counts against the budget, which is there to keep failing services from being asked for everything
 * twice. What reached no service made it no work; otherwise the death of one of two instances would use the budget
 * up in an instant, and requests fail that the other one had room for.
 */
export function spendsBudget(kind: FailureKind): boolean {
	return failureTable[kind].retry !== 'anyMethod' && kind !== 'staleConnection';
}
