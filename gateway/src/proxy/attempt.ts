import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../exchange.ts';
import { type FailureKind, failureTable, isFailureAnswer, UpstreamFailure } from '../failures.ts';
import type { ForwardAnswer, ForwardRequest } from '../forwarder/forwarder.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { Admission } from '../resilience/instance-breaker.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { outgoingHeaders } from './outgoing-headers.ts';

/** One request for as long as it is being forwarded. */
export interface Call {
	readonly req: IncomingMessage;
	readonly method: string;
	/** Path and query as they came. */
	readonly url: string;
	readonly exchange: Exchange;
	readonly service: string;
	readonly responseTimeoutMs: number;
	/** performance.now() by which the response headers must be there, all attempts together. */
	readonly deadlineAt: number;
	readonly signal: AbortSignal;
}

export interface AttemptDeps {
	readonly metrics: GatewayMetrics;
	readonly settings: { readonly idleTimeoutMs: number };
	readonly isTrustedPeer: (address: string | undefined) => boolean;
}

export type Outcome =
	| { readonly failure: UpstreamFailure; readonly answer?: undefined }
	| { readonly failure?: undefined; readonly answer: ForwardAnswer };

/**
 * One attempt at one instance. Its breaker receives one result, when the response body has ended or the attempt has
 * failed; the bulkhead slot is held just as long.
 */
export async function attempt(deps: AttemptDeps, call: Call, upstream: Upstream): Promise<Outcome> {
	const { exchange } = call;
	exchange.attempts += 1;
	exchange.instanceId = upstream.instance.id;
	exchange.failure = undefined;
	const startedAt = performance.now();
	upstream.inFlight += 1;
	let leave: (() => void) | undefined;
	const done = (): void => {
		upstream.inFlight -= 1;
		leave?.();
	};
	const failedWith = (failure: UpstreamFailure): Outcome => {
		done();
		exchange.failure = failure.kind;
		countFailure(deps, call, failure.kind);
		return { failure };
	};
	// No wait without need: nothing may change between the choice of the instance and its breaker's admission.
	const turn = upstream.bulkhead.enter(restMsOf(call), call.signal);
	leave = turn instanceof Promise ? await turn : turn;
	if (leave === undefined) return failedWith(gaveUp(call.signal) ?? new UpstreamFailure('overloaded'));
	const admission = upstream.breaker.admit();
	if (admission === undefined) return failedWith(new UpstreamFailure('circuitOpen'));
	try {
		const answer = await upstream.forwarder.forward(forwardRequest(deps, call, upstream));
		deps.metrics.observeUpstream(call.service, performance.now() - startedAt);
		reportResult(deps, call, answer, { admission, done });
		return { answer };
	} catch (error) {
		if (!(error instanceof UpstreamFailure)) {
			done();
			admission.abandoned();
			throw error;
		}
		reportFailure(admission, error.kind, error);
		return failedWith(error);
	}
}

/** A status that says that the service can't work is the result already; any other response still has to arrive whole. */
function reportResult(
	deps: AttemptDeps,
	call: Call,
	answer: ForwardAnswer,
	{ admission, done }: { admission: Admission; done: () => void },
): void {
	const failed = isFailureAnswer(answer);
	if (failed) {
		admission.failed(new Error(`answered ${answer.status}`));
		deps.metrics.countFailure(call.service, 'failureStatus');
	}
	const streaming = admission.isProbe && !failed ? decideStream(call, answer, admission) : undefined;
	answer.body.onClosed((end) => {
		done();
		clearInterval(streaming);
		if (failed) return;
		if (end === 'complete' || end === 'discarded') {
			admission.succeeded();
			return;
		}
		reportFailure(admission, end, new Error('response body cut off'));
		countFailure(deps, call, end);
	});
}

/**
 * A stream may last for hours, in which a half-open breaker would admit no other request. Headers alone prove nothing: an
 * instance that stalls after them would be closed by each probe. Such a probe ends with the idle timeout.
 */
function decideStream(call: Call, { body }: ForwardAnswer, admission: Admission): NodeJS.Timeout {
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

function forwardRequest(deps: AttemptDeps, call: Call, upstream: Upstream): ForwardRequest {
	const responseTimeoutMs = restMsOf(call);
	const headers = outgoingHeaders(call.req, call.exchange, {
		authority: upstream.instance.url.slice('http://'.length),
		peerTrusted: deps.isTrustedPeer(call.req.socket.remoteAddress),
	});
	headers['x-request-deadline-ms'] = String(responseTimeoutMs);
	return {
		method: call.method,
		url: call.url,
		headers,
		body: call.exchange.body?.bytes,
		responseTimeoutMs,
		idleTimeoutMs: deps.settings.idleTimeoutMs,
		signal: call.signal,
	};
}

function gaveUp({ aborted, reason }: AbortSignal): UpstreamFailure | undefined {
	return aborted && reason instanceof UpstreamFailure ? reason : undefined;
}

/** Whole milliseconds that an attempt may take, the first as well as the last. */
function restMsOf(call: Call): number {
	const restMs = Math.max(1, Math.floor(call.deadlineAt - performance.now()));
	return Math.min(call.responseTimeoutMs, restMs);
}
