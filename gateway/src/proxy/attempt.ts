import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Admission } from '@paddock/resilience';
import { spanMethod, spanPath } from '@paddock/service';
import type { Span } from '@paddock/telemetry';
import { type AttemptFailure, attemptFailures, failedPartHeader, failureOfResponse } from '@paddock/upstream';
import type { GatewayConfig } from '../config/config.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type FailureKind, failureTable, UpstreamFailure } from '../exchange/failures.ts';
import { forwardedHeaders } from '../exchange/headers.ts';
import type { ForwardRequest, UpstreamResponse } from '../forwarder/forwarder.ts';
import type { GatewayMetrics } from '../metrics/metrics.ts';
import type { Upstream } from '../upstream/upstream.ts';

export interface Call {
	readonly req: Pick<IncomingMessage, 'headers' | 'socket'>;
	readonly method: string;
	/** Path and query, unchanged. */
	readonly url: string;
	readonly exchange: Exchange;
	readonly service: string;
	readonly responseTimeoutMs: number;
	/** performance.now() by which the response headers must be there, all attempts together. */
	readonly deadlineAt: number;
	readonly signal: AbortSignal;
}

export type Forward = (call: Call) => Promise<UpstreamResponse>;

const onlyIfCached = /(?:^|,)\s*only-if-cached\s*(?:,|$)/i;

/** RFC 9111 §5.2.1.7: the client wants a stored response or none. */
export function acceptsOnlyStored({ method, req }: Call): boolean {
	const directives = req.headers['cache-control'];
	return directives !== undefined && method !== 'OPTIONS' && onlyIfCached.test(directives);
}

/** The failure that the service, or a proxy in front of it, reports by a response; undefined if it is none. */
export function reportedFailure({ status, headers }: UpstreamResponse): AttemptFailure | undefined {
	const kind = failureOfResponse(status, headers[failedPartHeader]);
	return kind && attemptFailures[kind];
}

export interface AttemptDeps {
	readonly metrics: GatewayMetrics;
	readonly config: GatewayConfig;
}

export type Outcome =
	| { readonly failure: UpstreamFailure; readonly response?: undefined }
	| { readonly failure?: undefined; readonly response: UpstreamResponse };

/** One attempt at one instance. Breaker and bulkhead get their result when the body has ended or the attempt has failed. */
export async function attempt(deps: AttemptDeps, call: Call, upstream: Upstream): Promise<Outcome> {
	const { exchange } = call;
	exchange.attempts += 1;
	exchange.instanceId = upstream.instance.id;
	exchange.failure = undefined;
	const span = exchange.trace.span && startSpan(exchange.trace.span, call, upstream);
	const startedAt = performance.now();
	upstream.inFlight += 1;
	let release: (() => void) | undefined;
	const done = (): void => {
		upstream.inFlight -= 1;
		release?.();
	};
	const failedWith = (failure: UpstreamFailure): Outcome => {
		done();
		exchange.upstreamMs += performance.now() - startedAt;
		exchange.failure = failure.kind;
		span?.fail(failure.kind);
		span?.end();
		countFailure(deps, call, failure.kind);
		return { failure };
	};
	// Awaited only if necessary: nothing may change between the choice of the instance and its breaker's admission.
	const slot = upstream.bulkhead.enter(remainingMsOf(call), call.signal);
	release = slot instanceof Promise ? await slot : slot;
	if (release === undefined) return failedWith(abortReason(call.signal) ?? new UpstreamFailure('overloaded'));
	const admission = upstream.breaker.admit();
	if (admission === undefined) return failedWith(new UpstreamFailure('circuitOpen'));
	try {
		const response = await upstream.forwarder.forward(forwardRequest(deps, call, upstream, span));
		withoutInstance(response.headers, authorityOf(upstream));
		upstream.respondedAt = performance.now();
		const tookMs = upstream.respondedAt - startedAt;
		exchange.upstreamMs += tookMs;
		deps.metrics.observeUpstream(call.service, tookMs);
		reportResult(deps, call, response, { admission, done, span });
		return { response };
	} catch (error) {
		if (!(error instanceof UpstreamFailure)) {
			done();
			span?.fail('_OTHER');
			span?.end();
			admission.abandoned();
			throw error;
		}
		if (failureTable[error.kind].blamesInstance) upstream.failedAt = performance.now();
		reportFailure(admission, error.kind, error);
		return failedWith(error);
	}
}

const authorityOf = ({ instance }: Upstream): string => instance.url.slice('http://'.length);

/** Frameworks build Location from Host, which names the instance, an address that clients can't reach: then only the path is kept. */
function withoutInstance(headers: IncomingHttpHeaders, authority: string): void {
	if (headers.location === undefined) return;
	const [, origin = '', path = ''] = /^(https?:\/\/[^/?#]*)(.*)$/.exec(headers.location) ?? [];
	if (!origin.endsWith(`//${authority}`)) return;
	if (!path.startsWith('/')) headers.location = `/${path}`;
	// Two slashes would name another host, and browsers take a backslash for one and skip control characters.
	else if (!/^\/[/\\\p{Cc}]/u.test(path)) headers.location = path;
}

/** A status that means that the service is unavailable is the result already; any other response must arrive whole. */
function reportResult(
	deps: AttemptDeps,
	call: Call,
	response: UpstreamResponse,
	{ admission, done, span }: { admission: Admission; done: () => void; span: Span | undefined },
): void {
	const failed = reportedFailure(response)?.blamesInstance === true;
	span?.set({ 'http.response.status_code': response.status });
	// For a client, unlike a server, a 4xx is a failure as well.
	if (response.status >= 400) span?.fail(String(response.status));
	if (failed) {
		admission.failed(new Error(`responded with ${response.status}`));
		deps.metrics.countFailure(call.service, 'failureStatus');
	}
	const streaming = admission.isProbe && !failed ? decideStream(call, response, admission) : undefined;
	response.body.onClosed((end) => {
		done();
		clearInterval(streaming);
		if (end !== 'complete' && end !== 'discarded') span?.fail(end);
		span?.end();
		if (failed) return;
		if (end === 'complete' || end === 'discarded') {
			admission.succeeded();
			return;
		}
		reportFailure(admission, end, new Error('response body cut off'));
		countFailure(deps, call, end);
	});
}

/** Decides a half-open probe whose response is a long stream; not at its headers, after which an instance may stall. */
function decideStream(call: Call, { body }: UpstreamResponse, admission: Admission): NodeJS.Timeout {
	return setInterval(() => {
		if (body.hasBegun) admission.streaming();
	}, call.responseTimeoutMs);
}

function reportFailure(admission: Admission, kind: FailureKind, cause: Error): void {
	if (failureTable[kind].blamesInstance) admission.failed(cause);
	else admission.abandoned();
}

function countFailure({ metrics }: AttemptDeps, { service }: Call, kind: FailureKind): void {
	if (failureTable[kind].isUpstream) metrics.countFailure(service, kind);
}

function forwardRequest(
	deps: AttemptDeps,
	call: Call,
	upstream: Upstream,
	span: Span | undefined,
): ForwardRequest {
	const responseTimeoutMs = remainingMsOf(call);
	const headers = forwardedHeaders(call.req, call.exchange, {
		trace: span?.trace ?? call.exchange.trace,
		authority: authorityOf(upstream),
		deadlineMs: responseTimeoutMs,
	});
	return {
		method: call.method,
		url: call.url,
		headers,
		body: call.exchange.body?.bytes,
		responseTimeoutMs,
		idleTimeoutMs: deps.config.IDLE_TIMEOUT_MS,
		signal: call.signal,
	};
}

function startSpan(parent: Span, { exchange, method, url, service }: Call, { instance }: Upstream): Span {
	const resends = exchange.attempts - 1;
	return parent.startChild(spanMethod(method), {
		kind: 'client',
		attributes: {
			'http.request.method': spanMethod(method),
			'http.request.resend_count': resends === 0 ? undefined : resends,
			'url.full': `${instance.url}${spanPath(url)}`,
			'server.address': instance.address,
			'server.port': instance.port,
			'peer.service': service,
			'gateway.instance.id': instance.id,
		},
	});
}

function abortReason({ aborted, reason }: AbortSignal): UpstreamFailure | undefined {
	return aborted && reason instanceof UpstreamFailure ? reason : undefined;
}

/** Whole milliseconds that an attempt may take, the first as well as the last. */
function remainingMsOf(call: Call): number {
	const remainingMs = Math.max(1, Math.floor(call.deadlineAt - performance.now()));
	return Math.min(call.responseTimeoutMs, remainingMs);
}
