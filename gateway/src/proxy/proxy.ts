import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, exchangeOf } from '../exchange.ts';
import { UpstreamFailure } from '../failures.ts';
import type { ForwardAnswer } from '../forwarder/forwarder.ts';
import type { Step } from '../pipeline.ts';
import type { Call } from './attempt.ts';
import { type ForwardDeps, forwardWithRetry } from './forward-with-retry.ts';
import { isPresentable, relayAnswer } from './relay-answer.ts';
import { gatewayError, unpresentable } from './upstream-errors.ts';

export interface ProxySettings {
	readonly responseTimeoutMs: number;
	/** To the response headers, all attempts together. */
	readonly deadlineMs: number;
	readonly idleTimeoutMs: number;
}

export interface ProxyDeps extends ForwardDeps {
	readonly settings: ProxySettings;
}

/**
 * 10. choose an instance, leaving out open breakers
 * 11. breaker → forward, to the response headers
 * 12. once more on another instance, where that is safe, affordable and still in time
 * 13. the answer, streamed
 */
export function proxy(deps: ProxyDeps): Step {
	return async function proxy(req, res): Promise<'taken'> {
		const end = deps.budget.begin();
		const gone = new AbortController();
		const onClose = (): void => {
			if (!res.writableFinished) gone.abort(new UpstreamFailure('clientAborted'));
		};
		// It is told once only, and may have been while an earlier step waited.
		if (res.closed) onClose();
		else res.on('close', onClose);
		const call = openCall(deps, req, gone);
		try {
			const answer = await forwardWithRetry(deps, call); // 10–12
			call.exchange.body?.release();
			if (!isPresentable(answer)) {
				answer.body.destroy();
				throw unpresentable(answer, call.exchange);
			}
			await relay(call.exchange, res, answer); // 13
		} catch (error) {
			// There is nobody left to tell, or only half an answer to tell it in.
			if (res.headersSent || res.destroyed) res.destroy();
			else throw error instanceof UpstreamFailure ? gatewayError(error, call.exchange) : error;
		} finally {
			call.exchange.body?.release();
			end();
		}
		return 'taken';
	};
}

function openCall(deps: ProxyDeps, req: IncomingMessage, { signal }: AbortController): Call {
	const exchange = exchangeOf(req);
	const { context } = exchange;
	if (context === undefined)
		throw new TypeError('The request has no context: routeToContext() must come first.');
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

async function relay(exchange: Exchange, res: ServerResponse, answer: ForwardAnswer): Promise<void> {
	try {
		await relayAnswer(res, answer, exchange.answerHeaders, () => {
			exchange.failure = 'cutOff';
		});
	} catch (error) {
		if (error instanceof UpstreamFailure) exchange.failure = error.kind;
		throw error;
	}
}
