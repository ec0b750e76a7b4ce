import type { IncomingMessage } from 'node:http';
import type { Principal } from '@paddock/identity';
import type { TraceContext } from '@paddock/telemetry';
import type { Context } from './contexts.ts';
import type { FailureKind, FailureLabel } from './failures.ts';
import type { OwnHeaders } from './headers.ts';

/** A request's whole body. */
export interface RequestBody {
	readonly bytes: Buffer;
	/** To be called when it is no longer needed; further calls do nothing. */
	release(): void;
}

/** One request on its way through the gateway: each step reads what earlier ones found out and adds its own. */
export interface Exchange {
	readonly requestId: string;
	readonly trace: TraceContext;
	/** performance.now() at the start. */
	readonly startedAt: number;
	/** performance.now() when all of the request had arrived; with a body that may be long after its start. */
	receivedAt: number;
	/** The client's address: the peer's, or what a trusted proxy forwarded. */
	readonly clientAddress: string;
	/** The path as it came, without the query; checked by the hygiene step. */
	readonly path: string;
	/** A label for metrics and log, never the raw path. */
	route: string;
	context: Context | undefined;
	principal: Principal | undefined;
	/** Undefined without a body, before it has been read and after it has been forwarded. */
	body: RequestBody | undefined;
	/** Why the last attempt, or the request before any attempt, failed. */
	failure: FailureKind | undefined;
	/** What the first attempt failed with, when a second one was made. */
	retriedAfter: FailureLabel | undefined;
	/** The instance that answered or failed last. */
	instanceId: string | undefined;
	attempts: number;
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

/** @throws TypeError when the request has none: the first step of the pipeline was left out. */
export function exchangeOf(req: IncomingMessage & Carrier): Exchange {
	const exchange = req[key];
	if (exchange === undefined)
		throw new TypeError('The request has no exchange: requestStart() must come first.');
	return exchange;
}

/** The exchange of a request that may have failed before it got one. */
export function findExchange(req: IncomingMessage & Carrier): Exchange | undefined {
	return req[key];
}
