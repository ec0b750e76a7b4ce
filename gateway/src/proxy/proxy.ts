import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, exchangeOf } from '../exchange.ts';
import { UpstreamFailure } from '../failures.ts';
import type { UpstreamResponse } from '../forwarder/forwarder.ts';
import { relayedHeaders } from '../headers.ts';
import type { Step } from '../pipeline.ts';
import type { Call, Forward } from './attempt.ts';
import { type ForwardDeps, forwardWithRetry } from './forward-with-retry.ts';
import { gatewayError, unpresentable } from './upstream-errors.ts';

// flushHeaders() would write header values in UTF-8 that came in Latin-1; beside bytes they stay unchanged.
const noBytes = Buffer.alloc(0);
const json = /^application\/(?:[\w.+-]+\+)?json/i;

export interface ProxyDeps extends ForwardDeps {
	/** Adds the cache of responses; undefined = no cache. */
	readonly cached: ((forward: Forward) => Forward) | undefined;
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
		responseTimeoutMs: context.responseTimeoutMs ?? deps.config.RESPONSE_TIMEOUT_MS,
		deadlineAt: exchange.receivedAt + deps.config.DEADLINE_MS,
		signal,
	};
}

/** Whether a response can be relayed: a failure that isn't JSON has no envelope and is replaced. */
function isPresentable({ status, headers }: UpstreamResponse): boolean {
	return status < 400 || json.test(headers['content-type'] ?? '');
}

/**
 * Relays a response: status, end-to-end headers beside the gateway's own, body. Resolves when the client has all of it.
 * When either side ends early, the client's connection is closed, so that half a body never looks whole.
 * @throws UpstreamFailure `cutOff` or `clientAborted`
 */
async function relay(exchange: Exchange, res: ServerResponse, response: UpstreamResponse): Promise<void> {
	const { status, headers, body } = response;
	const hasLength = headers['content-length'] !== undefined;
	// Without a length and without chunks the end of the connection ends the body; only a reset shows that it is cut off.
	const endsWithConnection = !hasLength && res.req.httpVersion === '1.0';
	try {
		res.writeHead(status, relayedHeaders(res, response, exchange.ownHeaders));
	} catch (error) {
		body.destroy();
		throw error;
	}
	// The first byte of a stream may take long; a body of known length follows at once, in the same packet.
	if (!hasLength && !body.whole) res.write(noBytes);
	let endedBy: 'cutOff' | 'clientAborted' = 'clientAborted';
	try {
		await body.sendTo(res, () => {
			// The client left first, and the instance's connection was closed because of that.
			if (res.destroyed) return;
			endedBy = 'cutOff';
			// Before the connection is closed, because the access log reads it then.
			exchange.failure = endedBy;
			if (endsWithConnection) res.socket?.resetAndDestroy();
		});
	} catch (error) {
		exchange.failure = endedBy;
		throw new UpstreamFailure(endedBy, error);
	}
}
