import type { IncomingMessage } from 'node:http';
import type { Principal } from '@paddock/identity';
import type { Client, ClientOf } from '@paddock/service';
import {
	continueTrace,
	requestIdOf,
	type TraceContext,
	type Tracing,
	traceparentOf,
} from '@paddock/telemetry';
import type { Context } from '../contexts/context.ts';
import type { FailureKind, FailureLabel } from './failures.ts';
import { type FixedHeaders, GatewayHeaders } from './headers.ts';

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
	readonly client: Client;
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
	instanceId: string | undefined;
	attempts: number;
	cache: CacheResult | undefined;
	/** Milliseconds that attempts have taken, each up to its response headers or its failure. */
	upstreamMs: number;
	/** Bytes that the connection had sent before this request. */
	readonly bytesBefore: number;
	/** A worker has forwarded it to the primary process, which logs and counts it with its route. */
	isRecordedByPrimary: boolean;
	readonly gatewayHeaders: GatewayHeaders;
}

const key = Symbol('exchange');

interface Carrier {
	[key]?: Exchange;
}

/** Attaches the exchange, for handlers that receive only the request: those of the gateway's own pages. */
export function setExchange(req: IncomingMessage & Carrier, exchange: Exchange): void {
	req[key] = exchange;
}

/** @throws TypeError without `setExchange` */
export function exchangeOf(req: IncomingMessage & Carrier): Exchange {
	const exchange = req[key];
	if (exchange === undefined)
		throw new TypeError('The request has no exchange: setExchange() must come first.');
	return exchange;
}

interface ExchangeDeps {
	readonly clientOf: ClientOf;
	readonly tracing: Tracing;
	/** Probes and scrapes below this prefix arrive every few seconds; they are not recorded. */
	readonly quietPrefix: string;
	/** Whether a host name or address is this machine's. */
	readonly isSelf: (host: string) => boolean;
	readonly headers: FixedHeaders;
}

// RFC 6797 §7.2: not over plain HTTP, where browsers ignore it. A year; subdomains are other systems.
const strictTransport = 'max-age=31536000';

/** Creates the exchange of each request: its id and trace context, and the headers that return both. */
export function createExchange(deps: ExchangeDeps): (req: IncomingMessage) => Exchange {
	const { tracing, quietPrefix } = deps;
	return function createExchange(req) {
		if (req.url?.startsWith('/') === false) readAbsoluteForm(req, deps.isSelf);
		const { url = '/' } = req;
		const traceparent = req.headers['traceparent'];
		const begin = tracing.isOn && !url.startsWith(quietPrefix) ? tracing.begin : continueTrace;
		const trace = begin(typeof traceparent === 'string' ? traceparent : undefined);
		// W3C Trace Context §3.3.1.3: `tracestate` belongs to the trace that it came with.
		if (req.headers['tracestate'] !== undefined && !isOf(traceparent, trace.traceId))
			delete req.headers['tracestate'];
		const requestId = requestIdOf(req.headers);
		const query = url.indexOf('?');
		const startedAt = performance.now();
		const client = deps.clientOf(req);
		const gatewayHeaders = new GatewayHeaders(deps.headers);
		if (client.protocol === 'https') gatewayHeaders.add('Strict-Transport-Security', strictTransport);
		gatewayHeaders.add('X-Request-Id', requestId);
		gatewayHeaders.add('traceparent', traceparentOf(trace));
		return {
			requestId,
			trace,
			startedAt,
			receivedAt: startedAt,
			client,
			path: query === -1 ? url : url.slice(0, query),
			route: 'unmatched',
			context: undefined,
			principal: undefined,
			body: undefined,
			failure: undefined,
			retriedAfter: undefined,
			instanceId: undefined,
			attempts: 0,
			cache: undefined,
			upstreamMs: 0,
			bytesBefore: req.socket.bytesWritten,
			isRecordedByPrimary: false,
			gatewayHeaders,
		};
	};
}

const absoluteForm = /^https?:\/\/([^/?#@\\]+)((?:[/?].*)?)$/is;

/** RFC 9112 §3.2.2: the absolute form of an own address is accepted, and Host ignored. Another authority is refused later. */
function readAbsoluteForm(req: IncomingMessage, isSelf: ExchangeDeps['isSelf']): void {
	const [, authority = '', target = ''] = absoluteForm.exec(req.url ?? '') ?? [];
	const { hostname, port } = URL.parse(`http://${authority}`) ?? {};
	if (hostname === undefined || Number(port || 80) !== req.socket.localPort) return;
	if (!isSelf(hostname.replace(/^\[(.*)\]$/, '$1'))) return;
	req.headers.host = authority;
	if (target === '' && req.method === 'OPTIONS') req.url = '*';
	else req.url = target.startsWith('/') ? target : `/${target}`;
}

function isOf(traceparent: string | string[] | undefined, traceId: string): boolean {
	return typeof traceparent === 'string' && traceparent.includes(traceId);
}
