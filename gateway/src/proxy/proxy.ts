import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, exchangeOf } from '../exchange.ts';
import { UpstreamFailure } from '../failures.ts';
import type { UpstreamResponse } from '../forwarder/forwarder.ts';
import type { Step } from '../pipeline.ts';
import type { Call, Forward } from './attempt.ts';
import { type ForwardDeps, forwardWithRetry } from './forward-with-retry.ts';
import { isPresentable, relayResponse } from './relay-response.ts';
import { gatewayError, unpresentable } from './upstream-errors.ts';

export interface ProxySettings {
	readonly responseTimeoutMs: number;
	/** To the response headers, all attempts together. */
	readonly deadlineMs: number;
	readonly idleTimeoutMs: number;
}

export interface ProxyDeps extends ForwardDeps {
	/** Adds the cache of responses; undefined = no cache. */
	readonly cached: ((forward: Forward) => Forward) | undefined;
	readonly settings: ProxySettings;
}

/**
 * 10. a stored response, if there is a usable one, else:
 * 11. choose an instance, leaving out open breakers
 * 12. breaker → forward, to the response headers
 * 13. retry on another instance, if that is safe, within the retry budget and before the deadline
 * 14. relay the response
 */
export function proxy(deps: ProxyDeps): Step {
	const withRetry: Forward = (call) => forwardWithRetry(deps, call);
	const forward = deps.cached?.(withRetry) ?? withRetry;
	return async function proxy(req, res): Promise<'handled'> {
		const end = deps.budget.begin();
		const abort = new AbortController();
		const onClose = (): void => {
			if (!res.writableFinished) abort.abort(new UpstreamFailure('clientAborted'));
		};
		// 'close' fires once, and may have fired during an earlier step.
		if (res.closed) onClose();
		else res.on('close', onClose);
		const call = openCall(deps, req, abort);
		try {
			const response = await forward(call); // 10–13
			call.exchange.body?.release();
			if (!isPresentable(response)) {
				response.body.destroy();
				throw unpresentable(response, call.exchange);
			}
			await relay(call.exchange, res, response); // 14
		} catch (error) {
			// The client has left, or has received a part of the response already.
			if (res.headersSent || res.destroyed) res.destroy();
			else throw error instanceof UpstreamFailure ? gatewayError(error, call.exchange) : error;
		} finally {
			call.exchange.body?.release();
			end();
		}
		return 'handled';
	};
}

function openCall(deps: ProxyDeps, req: IncomingMessage, { signal }: AbortController): Call {
	const exchange = exchangeOf(req);
	const { context } = exchange;
	if (context === undefined)
		throw new TypeError('The request has no context: matchedRoute() must come first.');
	return {
		req,
		method: req.method ?? '',
		url: req.url ?? '/',
		exchange,
		service: context.service,
		responseTimeoutMs: context.responseTimeoutMs ?? deps.settings.responseTimeoutMs,
		deadlineAt: exchange.receivedAt + deps.settings.deadlineMs,
		signal,
	};
}

async function relay(exchange: Exchange, res: ServerResponse, response: UpstreamResponse): Promise<void> {
	try {
		await relayResponse(res, response, exchange.ownHeaders, () => {
			exchange.failure = 'cutOff';
		});
	} catch (error) {
		if (error instanceof UpstreamFailure) exchange.failure = error.kind;
		throw error;
	}
}
