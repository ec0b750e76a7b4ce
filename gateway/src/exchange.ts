import type { IncomingMessage } from 'node:http';
import type { Principal } from '@paddock/identity';
import type { TraceContext } from '@paddock/telemetry';
import type { Context } from './contexts.ts';
import type { FailureKind, FailureLabel } from './failures.ts';
import type { OwnHeaders } from './headers.ts';

/**
 * How a request used the cache. `hit`: a fresh response was stored. `stale`: a stored one was used while a newer one is
 * fetched, or instead of a failure. `miss`: fetched. `revalidated`: the service confirmed the stored one. `collapsed`:
 * another request was fetching it. `bypass`: the request must not use the cache.
 */
export const cacheResults = ['hit', 'stale', 'miss', 'revalidated', 'collapsed', 'bypass'] as const;

export type CacheResult = (typeof cacheResults)[number];

/** The state of one request: each step reads the results of earlier steps and adds its own. */
export interface Exchange {
	readonly requestId: string;
	readonly trace: TraceContext;
	/** performance.now() at the start. */
	readonly startedAt: number;
	/** performance.now() when the request had arrived completely, including its body. */
	receivedAt: number;
	/** The client's address: the peer's, or the one that a trusted proxy forwarded. */
	readonly clientAddress: string;
	/** The raw path without the query; checked by the hygiene step. */
	readonly path: string;
	/** A label for metrics and log, never the raw path. */
	route: string;
	context: Context | undefined;
	principal: Principal | undefined;
	/** Complete; undefined without one, before it has been read and after `release` has released its memory. */
	body: { readonly bytes: Buffer; release(): void } | undefined;
	/** Why the last attempt, or the request before any attempt, failed. */
	failure: FailureKind | undefined;
	/** The failure of the first attempt, if there was a second one. */
	retriedAfter: FailureLabel | undefined;
	/** The instance of the last attempt. */
	instanceId: string | undefined;
	attempts: number;
	/** The use of the response cache, if the route has one. */
	cache: CacheResult | undefined;
	/** Milliseconds that attempts have taken, each up to its response headers or its failure. */
	upstreamMs: number;
	/** Bytes that the connection had sent before this request. */
	readonly bytesBefore: number;
	/** A worker has forwarded it to the primary process, which logs and counts it with its route. */
	isRecordedByPrimary: boolean;
	/** The headers that the gateway adds to the response. */
	readonly ownHeaders: OwnHeaders;
}

const key = Symbol('exchange');

interface Carrier {
	[key]?: Exchange;
}

/** Attaches the exchange to its request. */
export function beginExchange(req: IncomingMessage & Carrier, exchange: Exchange): void {
	req[key] = exchange;
}

/** @throws TypeError if the request has none, because the first step of the pipeline is missing. */
export function exchangeOf(req: IncomingMessage & Carrier): Exchange {
	const exchange = req[key];
	if (exchange === undefined)
		throw new TypeError('The request has no exchange: requestStart() must come first.');
	return exchange;
}

/** The exchange of a request, or undefined if it failed before the first step. */
export function findExchange(req: IncomingMessage & Carrier): Exchange | undefined {
	return req[key];
}
