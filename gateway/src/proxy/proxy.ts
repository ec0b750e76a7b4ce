import type { NextFunction, Request, Response } from 'express';
import { chooseInstance, type Random } from '../discovery/balancer.ts';
import type { InstanceTable, Upstream } from '../discovery/instance-table.ts';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { GatewayMetrics } from '../operations/gateway-metrics.ts';
import type { RetryBudget } from '../resilience/retry-budget.ts';
import { failureTable, isFailureStatus, mayRetry, mayRetryAnswer, UpstreamFailure } from './failures.ts';
import type { ForwardAnswer } from './forwarder.ts';
import { outgoingHeaders } from './outgoing-headers.ts';
import { isPresentable, relayAnswer } from './relay-answer.ts';
import { limitedBody } from './request-body.ts';
import { gatewayError, noneAvailable, unpresentable } from './upstream-errors.ts';

export interface ProxySettings {
	readonly bodyBytesMax: number;
	readonly responseTimeoutMs: number;
	/** To the response headers, all attempts together. */
	readonly deadlineMs: number;
	readonly idleTimeoutMs: number;
}

export interface ProxyDeps {
	readonly table: InstanceTable;
	readonly budget: RetryBudget;
	readonly metrics: GatewayMetrics;
	readonly settings: ProxySettings;
	readonly isTrustedPeer: (address: string | undefined) => boolean;
	readonly random: Random;
	readonly now: () => Date;
}

/** One request for as long as it is being forwarded. */
interface Call {
	readonly req: Request;
	readonly exchange: Exchange;
	readonly service: string;
	readonly responseTimeoutMs: number;
	readonly deadlineAt: number;
	readonly signal: AbortSignal;
	readonly body: ReturnType<typeof limitedBody>;
}

const attemptsMax = 2;
// Less than this is not enough for another try.
const usefulRestMs = 50;

/**
 *  9. choose an instance, leaving out open breakers
 * 10. breaker → forward, to the response headers
 * 11. once more on another instance, where that is safe, affordable and still in time
 * 12. the answer, streamed
 */
export function proxy(deps: ProxyDeps) {
	return async function proxy(req: Request, res: Response, _next: NextFunction): Promise<void> {
		const end = deps.budget.begin();
		const gone = new AbortController();
		res.once('close', () => {
			if (!res.writableFinished) gone.abort(new UpstreamFailure('clientAborted'));
		});
		const call = openCall(deps, req, gone);
		try {
			const answer = await forwardWithRetry(deps, call);
			if (!isPresentable(answer)) {
				answer.body.destroy();
				throw unpresentable(answer.status, call.exchange);
			}
			await relayAnswer(res, answer);
		} catch (error) {
			if (res.headersSent || res.destroyed) {
				res.destroy();
				return;
			}
			throw error instanceof UpstreamFailure ? gatewayError(error, call.exchange) : error;
		} finally {
			end();
		}
	};
}

function openCall(deps: ProxyDeps, req: Request, gone: AbortController): Call {
	const exchange = exchangeOf(req);
	const { context } = exchange;
	if (context === undefined)
		throw new TypeError('The request has no context: routeToContext() must come first.');
	return {
		req,
		exchange,
		service: context.service,
		responseTimeoutMs: context.responseTimeoutMs ?? deps.settings.responseTimeoutMs,
		deadlineAt: exchange.startedAt + deps.settings.deadlineMs,
		signal: gone.signal,
		body: limitedBody(req, deps.settings.bodyBytesMax, () => gone.abort(new UpstreamFailure('bodyTooLarge'))),
	};
}

async function forwardWithRetry(deps: ProxyDeps, call: Call): Promise<ForwardAnswer> {
	const tried = new Set<Upstream>();
	const choose = () => chooseInstance(deps.table.upstreams(call.service), tried, deps.random);
	let upstream = choose();
	if (upstream === undefined)
		throw noneAvailable(deps.table.upstreams(call.service), call.exchange, deps.now());
	let release: (() => void) | undefined;
	for (;;) {
		const outcome = await attempt(deps, call, upstream);
		release?.();
		release = undefined;
		const { failure, answer } = outcome;
		const again =
			failure === undefined
				? mayRetryAnswer(answer.status, call.req.method)
				: mayRetry(failure.kind, call.req.method);
		const inTime = call.deadlineAt - performance.now() > usefulRestMs;
		if (again && inTime && call.exchange.attempts < attemptsMax) {
			// A stale connection says nothing about the instance: a fresh one to the same will do.
			if (failure?.kind !== 'staleConnection') tried.add(upstream);
			const next = choose();
			release = next === undefined ? undefined : deps.budget.retry();
			if (next !== undefined && release !== undefined) {
				deps.metrics.countRetry(call.service, failure?.kind ?? 'failureStatus');
				answer?.body.destroy();
				upstream = next;
				continue;
			}
		}
		if (failure !== undefined) throw failure;
		return answer;
	}
}

type Outcome =
	| { failure: UpstreamFailure; answer?: undefined }
	| { failure?: undefined; answer: ForwardAnswer };

async function attempt(deps: ProxyDeps, call: Call, upstream: Upstream): Promise<Outcome> {
	const { exchange } = call;
	exchange.attempts += 1;
	exchange.instanceId = upstream.instance.id;
	const admission = upstream.breaker.admit();
	if (admission === undefined) return { failure: new UpstreamFailure('circuitOpen') };
	const startedAt = performance.now();
	upstream.inFlight += 1;
	const done = (): void => {
		upstream.inFlight -= 1;
	};
	try {
		const answer = await upstream.forwarder.forward(forwardRequest(deps, call, upstream));
		deps.metrics.observeUpstream(call.service, performance.now() - startedAt);
		if (isFailureStatus(answer.status)) {
			admission.failed(new Error(`answered ${answer.status}`));
			deps.metrics.countFailure(call.service, 'failureStatus');
		} else admission.succeeded();
		answer.body.once('close', done);
		return { answer };
	} catch (error) {
		done();
		if (!(error instanceof UpstreamFailure)) {
			admission.abandoned();
			throw error;
		}
		if (failureTable[error.kind].blamesInstance) admission.failed(error);
		else admission.abandoned();
		exchange.failure = error.kind;
		deps.metrics.countFailure(call.service, error.kind);
		return { failure: error };
	}
}

function forwardRequest(deps: ProxyDeps, call: Call, upstream: Upstream) {
	const restMs = Math.max(1, Math.floor(call.deadlineAt - performance.now()));
	const responseTimeoutMs = Math.min(call.responseTimeoutMs, restMs);
	const headers = outgoingHeaders(call.req, call.exchange, {
		authority: upstream.instance.url.slice('http://'.length),
		peerTrusted: deps.isTrustedPeer(call.req.socket.remoteAddress),
	});
	headers['x-request-deadline-ms'] = String(responseTimeoutMs);
	return {
		method: call.req.method,
		url: call.req.originalUrl,
		headers,
		body: call.body,
		responseTimeoutMs,
		idleTimeoutMs: deps.settings.idleTimeoutMs,
		signal: call.signal,
	};
}
