import type { IncomingMessage, ServerResponse } from 'node:http';
import { exchangeOf } from '../exchange.ts';
import type { Step } from '../pipeline.ts';
import type { Call } from './attempt.ts';
import { CallAbort } from './call-signal.ts';
import { UpstreamFailure } from './failures.ts';
import { type ForwardDeps, forwardWithRetry } from './forward-with-retry.ts';
import type { ForwardAnswer } from './forwarder.ts';
import { isPresentable, relayAnswer } from './relay-answer.ts';
import { limitedBody } from './request-body.ts';
import { gatewayError, unpresentable } from './upstream-errors.ts';

export interface ProxySettings {
	readonly bodyBytesMax: number;
	readonly responseTimeoutMs: number;
	/** To the response headers, all attempts together. */
	readonly deadlineMs: number;
	readonly idleTimeoutMs: number;
}

export interface ProxyDeps extends ForwardDeps {
	readonly settings: ProxySettings;
}

/**
 *  9. choose an instance, leaving out open breakers
 * 10. breaker → forward, to the response headers
 * 11. once more on another instance, where that is safe, affordable and still in time
 * 12. the answer, streamed
 */
export function proxy(deps: ProxyDeps): Step {
	return async function proxy(req, res): Promise<'taken'> {
		const end = deps.budget.begin();
		const gone = new CallAbort();
		const onClose = (): void => {
			if (!res.writableFinished) gone.abort(new UpstreamFailure('clientAborted'));
		};
		// It is told once only, and may have been while an earlier step waited.
		if (res.closed) onClose();
		else res.on('close', onClose);
		const call = openCall(deps, req, gone);
		try {
			const answer = await forwardWithRetry(deps, call); // 9–11
			if (!isPresentable(answer)) {
				answer.body.destroy();
				throw unpresentable(answer, call.exchange);
			}
			await relay(call, res, answer); // 12
		} catch (error) {
			// There is nobody left to tell, or only half an answer to tell it in.
			if (res.headersSent || res.destroyed) res.destroy();
			else throw error instanceof UpstreamFailure ? gatewayError(error, call.exchange) : error;
		} finally {
			end();
		}
		return 'taken';
	};
}

function openCall(deps: ProxyDeps, req: IncomingMessage, gone: CallAbort): Call {
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
		deadlineAt: exchange.startedAt + deps.settings.deadlineMs,
		signal: gone,
		body: limitedBody(req, deps.settings.bodyBytesMax, () => gone.abort(new UpstreamFailure('bodyTooLarge'))),
	};
}

async function relay(call: Call, res: ServerResponse, answer: ForwardAnswer): Promise<void> {
	try {
		await relayAnswer(res, answer, call.exchange.answerHeaders, () => {
			call.exchange.failure = 'cutOff';
		});
	} catch (error) {
		if (!(error instanceof UpstreamFailure)) throw error;
		const { reason } = call.signal;
		const tooLarge = reason instanceof UpstreamFailure && reason.kind === 'bodyTooLarge';
		const kind = tooLarge ? 'bodyTooLarge' : error.kind;
		call.exchange.failure = kind;
		throw error;
	}
}
