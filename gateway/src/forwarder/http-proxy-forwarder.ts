import type { ClientRequest, IncomingMessage } from 'node:http';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { UpstreamFailure } from '../failures.ts';
import { endsWithConnection, StreamedBody } from './answer-body.ts';
import { type EngineAttempt, EngineRequest, EngineResponse } from './engine-exchange.ts';
import type { ForwardAnswer, Forwarder, ForwardRequest } from './forwarder.ts';
import type { InstanceAgent } from './instance-agent.ts';

/** One attempt through the engine. */
interface Attempt extends EngineAttempt {
	readonly request: EngineRequest;
	readonly response: EngineResponse;
}

/** Forwards through http-proxy-middleware. @param url of the instance, without a path */
export function createHttpProxyForwarder(deps: { url: string; agent: InstanceAgent }): Forwarder {
	const middleware = createProxyMiddleware({
		// As text it would be parsed again for each request.
		target: new URL(deps.url),
		agent: deps.agent,
		selfHandleResponse: true,
		xfwd: false,
		// Everything is let through, and what is asked is told later: to compare it the engine would parse it.
		pathFilter: () => true,
		// The default plugins write answers and logs of their own.
		ejectPlugins: true,
		plugins: [reportToAttempts],
	});
	return {
		forward: (request) => {
			return new Promise<ForwardAnswer>((resolve, reject) => {
				const attempt = beginAttempt(request, resolve, (failure) => {
					// Those that have been idle for longer are no fresher than the one that was tried.
					if (failure instanceof UpstreamFailure && failure.kind === 'staleConnection')
						deps.agent.closeIdle();
					reject(failure);
				});
				attempt.request.attempt = attempt;
				const report = (error: unknown): void => {
					if (error !== undefined) attempt.failed(error);
				};
				middleware(attempt.request.asIncomingMessage(), attempt.response.asServerResponse(), report).catch(
					report,
				);
			});
		},
		close: () => deps.agent.retire(),
	};
}

/** The engine says what happened through events only; each carries the request that it is about. */
const reportToAttempts: Plugin = (engine) => {
	engine.on('start', (req) => {
		if (req instanceof EngineRequest) req.begin();
	});
	engine.on('proxyReq', (outgoing, req) => {
		if (!(req instanceof EngineRequest)) return;
		req.outgoing = outgoing;
		// An unasked 101 would leave the request waiting for an answer that never comes.
		outgoing.once('upgrade', (_answer, socket) => {
			socket.destroy();
			req.attempt?.failed(new UpstreamFailure('invalidResponse'));
		});
	});
	engine.on('proxyRes', (answer, req) => attemptOf(req)?.answered(answer));
	engine.on('error', (error, req) => attemptOf(req)?.failed(error));
	engine.on('econnreset', (error, req) => attemptOf(req)?.failed(error));
};

function attemptOf(req: unknown): EngineAttempt | undefined {
	return req instanceof EngineRequest ? req.attempt : undefined;
}

function beginAttempt(
	forward: ForwardRequest,
	resolve: (answer: ForwardAnswer) => void,
	reject: (failure: unknown) => void,
): Attempt {
	const request = new EngineRequest(forward);
	const response = new EngineResponse();
	let settled = false;
	const timer = setTimeout(() => failed(new UpstreamFailure('responseTimeout')), forward.responseTimeoutMs);
	let body: StreamedBody | undefined;
	const onAbort = (): void => {
		if (body !== undefined) body.abort();
		else failed(forward.signal.reason);
	};
	const settle = (): boolean => {
		if (settled) return false;
		settled = true;
		clearTimeout(timer);
		return true;
	};
	const failed = (cause: unknown): void => {
		if (!settle()) return;
		forward.signal.removeEventListener('abort', onAbort);
		response.destroy();
		reject(classify(cause, request.outgoing));
	};
	const answered = (answer: IncomingMessage): void => {
		const status = answer.statusCode ?? 0;
		if (status < 200 || status > 599) {
			failed(new UpstreamFailure('invalidResponse'));
			return;
		}
		if (!settle()) return;
		const { headers } = answer;
		const untilClosed = endsWithConnection(forward.method, status, headers);
		body = new StreamedBody(answer, { untilClosed, idleTimeoutMs: forward.idleTimeoutMs });
		resolve({ status, headers, body });
	};
	if (forward.signal.aborted) queueMicrotask(onAbort);
	else forward.signal.addEventListener('abort', onAbort);
	return { request, response, answered, failed };
}

// Node refused to send it as it is: our mistake, and none of the instance's.
const ourMistake = /^ERR_(?:INVALID|UNESCAPED|HTTP)_/;

function classify(cause: unknown, outgoing: ClientRequest | undefined): unknown {
	if (cause instanceof UpstreamFailure) return cause;
	const code: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined;
	if (typeof code !== 'string') return cause;
	if (ourMistake.test(code)) return cause;
	if (code.startsWith('HPE_')) return new UpstreamFailure('invalidResponse', cause);
	return new UpstreamFailure(outgoing?.reusedSocket === true ? 'staleConnection' : 'reset', cause);
}
