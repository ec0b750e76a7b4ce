import type { IncomingMessage } from 'node:http';
import type { Upstream } from '../discovery/instance-table.ts';
import type { Exchange } from '../exchange.ts';
import type { GatewayMetrics } from '../operations/gateway-metrics.ts';
import type { CallSignal } from './call-signal.ts';
import { failureTable, isFailureAnswer, UpstreamFailure } from './failures.ts';
import type { ForwardAnswer, ForwardRequest } from './forwarder.ts';
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
	readonly signal: CallSignal;
	readonly body: ForwardRequest['body'];
}

export interface AttemptDeps {
	readonly metrics: GatewayMetrics;
	readonly settings: { readonly idleTimeoutMs: number };
	readonly isTrustedPeer: (address: string | undefined) => boolean;
}

export type Outcome =
	| { readonly failure: UpstreamFailure; readonly answer?: undefined }
	| { readonly failure?: undefined; readonly answer: ForwardAnswer };

/** One attempt at one instance: its breaker is asked and told, what is in flight is counted to the answer's end. */
export async function attempt(deps: AttemptDeps, call: Call, upstream: Upstream): Promise<Outcome> {
	const { exchange } = call;
	exchange.attempts += 1;
	exchange.instanceId = upstream.instance.id;
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
		deps.metrics.countFailure(call.service, failure.kind);
		return { failure };
	};
	// Without a wait there is none: between the choice and the breaker's word nothing may change.
	const turn = upstream.bulkhead.enter(restMsOf(call), call.signal);
	leave = turn instanceof Promise ? await turn : turn;
	if (leave === undefined) return failedWith(gaveUp(call.signal) ?? new UpstreamFailure('overloaded'));
	const admission = upstream.breaker.admit();
	if (admission === undefined) return failedWith(new UpstreamFailure('circuitOpen'));
	try {
		const answer = await upstream.forwarder.forward(forwardRequest(deps, call, upstream));
		deps.metrics.observeUpstream(call.service, performance.now() - startedAt);
		if (isFailureAnswer(answer)) {
			admission.failed(new Error(`answered ${answer.status}`));
			deps.metrics.countFailure(call.service, 'failureStatus');
		} else admission.succeeded();
		answer.body.onClosed(done);
		return { answer };
	} catch (error) {
		if (!(error instanceof UpstreamFailure)) {
			done();
			admission.abandoned();
			throw error;
		}
		if (failureTable[error.kind].blamesInstance) admission.failed(error);
		else admission.abandoned();
		return failedWith(error);
	}
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
		body: call.body,
		responseTimeoutMs,
		idleTimeoutMs: deps.settings.idleTimeoutMs,
		signal: call.signal,
	};
}

function gaveUp({ aborted, reason }: CallSignal): UpstreamFailure | undefined {
	return aborted && reason instanceof UpstreamFailure ? reason : undefined;
}

/** Whole milliseconds that an attempt may take, the first as well as the last. */
function restMsOf(call: Call): number {
	const restMs = Math.max(1, Math.floor(call.deadlineAt - performance.now()));
	return Math.min(call.responseTimeoutMs, restMs);
}
