import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RetryBudget } from '@paddock/resilience';
import { type AttemptFailure, chooseInstance, mayRetry, type Random, withRetry } from '@paddock/upstream';
import type { Exchange } from '../exchange/exchange.ts';
import { failureTable, UpstreamFailure } from '../exchange/failures.ts';
import { relayedHeaders, withoutOrigin } from '../exchange/headers.ts';
import type { Step } from '../exchange/pipeline.ts';
import type { UpstreamResponse } from '../forwarder/forwarder.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import type { Upstream } from '../upstream/upstream.ts';
import {
	type AttemptDeps,
	acceptsOnlyStored,
	attempt,
	type Call,
	type Forward,
	type Outcome,
	reportedFailure,
} from './attempt.ts';
import { withEnvelope } from './envelope.ts';
import { refreshCookieHeader, withRefreshCookie } from './refresh-cookie.ts';
import { gatewayError, noneAvailable, unpresentable } from './upstream-errors.ts';

// flushHeaders() would write header values in UTF-8 that came in Latin-1; beside bytes they stay unchanged.
const noBytes = Buffer.alloc(0);
// A second attempt with less time left would only be cut off.
const attemptMsMin = 50;
const json = /^application\/(?:[\w.+-]+\+)?json/i;

export interface ProxyDeps extends AttemptDeps {
	readonly table: Pick<InstanceTable<Upstream>, 'upstreams'>;
	readonly random: Random;
	readonly budget: RetryBudget;
	readonly now: () => Date;
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
	const cached = deps.cached?.(withRetry) ?? withRetry;
	return async function proxy(exchange, req, res): Promise<'handled'> {
		const end = deps.budget.begin();
		const abort = new AbortController();
		res.once('close', () => {
			if (!res.writableFinished) abort.abort(new UpstreamFailure('clientAborted'));
		});
		const call = createCall(deps, exchange, req, abort.signal);
		let response: UpstreamResponse | undefined;
		try {
			const { 'cache-control': directives } = req.headers;
			const mayBeStored = exchange.context?.cachedPaths.length !== 0;
			const usesCache = mayBeStored || (directives !== undefined && acceptsOnlyStored(call));
			const forward = usesCache ? cached : withRetry;
			response = await forward(call); // 10–13
			// Before 'close', which may be hours away: a response can be a stream.
			exchange.body?.release();
			if (!isPresentable(response)) throw unpresentable(response, exchange);
			const wraps = exchange.context?.attached?.wrapsResponses === true;
			const wrapped = wraps ? await withEnvelope(response, { ...call, now: deps.now }) : response;
			const keepsToken = deps.config.CONSOLE && req.headers[refreshCookieHeader] !== undefined;
			await relay(exchange, res, keepsToken ? await withRefreshCookie(wrapped, exchange, req) : wrapped); // 14
		} catch (error) {
			// Nothing reads its body any more, which would stay paused and keep its connection and its bulkhead slot.
			response?.body.destroy();
			// The client has left, or has received a part of the response already.
			if (res.headersSent || res.destroyed) res.destroy();
			else throw error instanceof UpstreamFailure ? gatewayError(error, exchange) : error;
		} finally {
			end();
		}
		return 'handled';
	};
}

function createCall(deps: ProxyDeps, exchange: Exchange, req: IncomingMessage, signal: AbortSignal): Call {
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

/** Steps 11 to 13. @throws ApiError without an available instance, UpstreamFailure */
async function forwardWithRetry(deps: ProxyDeps, call: Call): Promise<UpstreamResponse> {
	const outcome = await withRetry<Upstream, Outcome>({
		choose: (tried) => chooseInstance(deps.table.upstreams(call.service), tried, deps.random), // 11
		budget: deps.budget,
		attempt: (upstream) => attempt(deps, call, upstream), // 12
		failureOf: (outcome) => retriableFailure(call, outcome), // 13
		// A stale connection says nothing about the instance, so a new connection may succeed.
		mayRepeat: ({ failure }) => failure?.kind === 'staleConnection',
		onRetry: ({ failure, response }) => {
			const retriedAfter = failure?.kind ?? 'failureStatus';
			call.exchange.retriedAfter = retriedAfter;
			deps.metrics.countRetry(call.service, retriedAfter);
			response?.body.destroy();
		},
	});
	if (outcome === undefined) throw noneLeft(deps, call);
	return responseOf(deps, call, outcome);
}

/** The failure after which the call may be sent again. */
function retriableFailure(call: Call, { failure, response }: Outcome): AttemptFailure | undefined {
	const row = failure === undefined ? reportedFailure(response) : failureTable[failure.kind];
	if (row === undefined || call.deadlineAt - performance.now() <= attemptMsMin) return undefined;
	return mayRetry(row, call.method) ? row : undefined;
}

function responseOf(deps: ProxyDeps, call: Call, { failure, response }: Outcome): UpstreamResponse {
	if (failure === undefined) return response;
	throw failure.kind === 'circuitOpen' ? noneLeft(deps, call) : failure;
}

function noneLeft(deps: ProxyDeps, call: Call): Error {
	return noneAvailable(deps.table.upstreams(call.service), call.exchange, deps.now());
}

/** Whether a response can be relayed: a failure that isn't JSON has no envelope and is replaced. */
function isPresentable({ status, headers }: UpstreamResponse): boolean {
	return status < 400 || json.test(headers['content-type'] ?? '');
}

/**
 * Relays a response; resolves when the client has all of it. When either side ends early, the client's connection is closed.
 * @throws UpstreamFailure `cutOff` or `clientAborted`
 */
async function relay(exchange: Exchange, res: ServerResponse, response: UpstreamResponse): Promise<void> {
	const { status, headers, body } = response;
	const hasLength = headers['content-length'] !== undefined;
	// Without a length and without chunks the end of the connection ends the body; only a reset shows that it is cut off.
	const endsWithConnection = !hasLength && res.req.httpVersion === '1.0';
	const list = relayedHeaders(res, response, exchange.gatewayHeaders);
	res.writeHead(status, exchange.context?.attached === undefined ? list : withoutOrigin(list));
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
