import type { ClientRequest, IncomingMessage } from 'node:http';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { EngineRequest, EngineResponse } from './engine-exchange.ts';
import { UpstreamFailure } from './failures.ts';
import type { ForwardAnswer, Forwarder, ForwardRequest } from './forwarder.ts';
import type { InstanceAgent } from './instance-agent.ts';

/** One attempt through the engine, and the ways in which it can end. */
interface Attempt {
	readonly request: EngineRequest;
	readonly response: EngineResponse;
	answered(answer: IncomingMessage): void;
	failed(cause: unknown): void;
}

/** Forwards through http-proxy-middleware. @param url of the instance, without a path */
export function createHttpProxyForwarder(deps: { url: string; agent: InstanceAgent }): Forwarder {
	const attempts = new WeakMap<object, Attempt>();
	const middleware = createProxyMiddleware({
		target: deps.url,
		agent: deps.agent,
		selfHandleResponse: true,
		xfwd: false,
		// The default plugins write answers and logs of their own.
		ejectPlugins: true,
		plugins: [reportTo(attempts)],
	});
	return {
		forward: (request) => {
			return new Promise<ForwardAnswer>((resolve, reject) => {
				const attempt = beginAttempt(request, resolve, reject);
				attempts.set(attempt.request, attempt);
				const report = (error: unknown): void => {
					if (error !== undefined) attempt.failed(error);
				};
				middleware(attempt.request.asIncomingMessage(), attempt.response.asServerResponse(), report).catch(
					report,
				);
			});
		},
		close: () => closeWhenIdle(deps.agent),
	};
}

// destroy() would cut answers that still stream. Free sockets go now; the others when they come back.
function closeWhenIdle(agent: InstanceAgent): void {
	for (const sockets of Object.values(agent.freeSockets))
		for (const socket of sockets ?? []) socket.destroy();
	agent.on('free', (socket) => socket.destroy());
}

/** The engine says what happened through events only; each carries the request that it is about. */
function reportTo(attempts: WeakMap<object, Attempt>): Plugin {
	return (engine) => {
		engine.on('proxyReq', (outgoing, req) => {
			const attempt = attempts.get(req);
			if (!(req instanceof EngineRequest) || attempt === undefined) return;
			req.outgoing = outgoing;
			// An unasked 101 would leave the request waiting for an answer that never comes.
			outgoing.once('upgrade', (_answer, socket) => {
				socket.destroy();
				attempt.failed(new UpstreamFailure('invalidResponse'));
			});
		});
		engine.on('proxyRes', (answer, req) => attempts.get(req)?.answered(answer));
		engine.on('error', (error, req) => {
			if (req !== undefined) attempts.get(req)?.failed(error);
		});
		engine.on('econnreset', (error, req) => attempts.get(req)?.failed(error));
	};
}

function beginAttempt(
	forward: ForwardRequest,
	resolve: (answer: ForwardAnswer) => void,
	reject: (failure: UpstreamFailure) => void,
): Attempt {
	const request = new EngineRequest(forward);
	const response = new EngineResponse();
	let settled = false;
	const timer = responseTimer(forward, request, () => failed(new UpstreamFailure('responseTimeout')));
	const onAbort = (): void => failed(forward.signal.reason ?? new UpstreamFailure('clientAborted'));
	const settle = (): boolean => {
		if (settled) return false;
		settled = true;
		timer.stop();
		forward.signal.removeEventListener('abort', onAbort);
		return true;
	};
	const failed = (cause: unknown): void => {
		if (!settle()) return;
		request.release();
		response.destroy();
		reject(cause instanceof UpstreamFailure ? cause : classify(cause, request.outgoing));
	};
	const answered = (answer: IncomingMessage): void => {
		const status = answer.statusCode ?? 0;
		if (status < 200 || status > 599) {
			failed(new UpstreamFailure('invalidResponse'));
			return;
		}
		if (!settle()) return;
		request.outgoing?.setTimeout(forward.idleTimeoutMs, () => {
			answer.destroy(new Error('The service stopped in the middle of its answer.'));
		});
		resolve({ status, headers: answer.headers, body: answer });
	};
	if (forward.signal.aborted) queueMicrotask(onAbort);
	else forward.signal.addEventListener('abort', onAbort, { once: true });
	return { request, response, answered, failed };
}

/** Runs at once without a body, else from its end: how long an upload takes is the client's affair. */
function responseTimer(
	forward: ForwardRequest,
	request: EngineRequest,
	expired: () => void,
): { stop: () => void } {
	let timer: NodeJS.Timeout | undefined;
	const begin = (): void => {
		timer = setTimeout(expired, forward.responseTimeoutMs);
	};
	if (forward.body === undefined) begin();
	else request.once('end', begin);
	return {
		stop: () => {
			request.off('end', begin);
			clearTimeout(timer);
		},
	};
}

function classify(cause: unknown, outgoing: ClientRequest | undefined): UpstreamFailure {
	const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
	if (typeof code === 'string' && code.startsWith('HPE_'))
		return new UpstreamFailure('invalidResponse', cause);
	return new UpstreamFailure(outgoing?.reusedSocket === true ? 'staleConnection' : 'reset', cause);
}
