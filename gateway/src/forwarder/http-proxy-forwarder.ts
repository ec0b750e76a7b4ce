import {
	Agent,
	type ClientRequest,
	type ClientRequestArgs,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import { type Duplex, Readable, Writable } from 'node:stream';
import { closeIdleSockets, retireAgent } from '@paddock/discovery';
import { endsWithConnection, hasUnknownCoding } from '@paddock/service';
import { brokenConnection } from '@paddock/upstream';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { UpstreamFailure } from '../exchange/failures.ts';
import { type ConnectionSettings, connectInstance, resetConnection } from './connect-instance.ts';
import { type Forwarder, type ForwardRequest, renewed, type UpstreamResponse } from './forwarder.ts';
import { StreamedBody } from './streamed-body.ts';

/** The kept-alive connections to one instance for Node's HTTP client, made as those of undici's are. */
class InstanceAgent extends Agent {
	readonly #settings: ConnectionSettings;

	constructor(settings: ConnectionSettings) {
		const { socketsMax, idleMs } = settings;
		super({
			keepAlive: true,
			maxFreeSockets: socketsMax,
			scheduling: 'lifo',
			timeout: idleMs,
			// As much as undici leaves between the idle time that an instance announces and its own.
			agentKeepAliveTimeoutBuffer: 2_000,
		});
		this.#settings = settings;
	}

	/** The request is sent when the connection is made: until then it can still go to another instance. */
	override createConnection(
		{ host, port }: ClientRequestArgs,
		callback?: (error: Error | null, stream: Duplex) => void,
	): undefined {
		const address = { host: host ?? '', port: Number(port) };
		connectInstance(address, this.#settings, (failure, socket) => callback?.(failure, socket as Duplex));
	}
}

interface Attempt {
	outgoing?: ClientRequest;
	responded(response: IncomingMessage): void;
	failed(cause: unknown): void;
}

/** Forwards through http-proxy-middleware. */
export const openHttpProxyForwarder = renewed(openMiddleware);

function openMiddleware(url: string, settings: ConnectionSettings): Forwarder {
	const agent = new InstanceAgent(settings);
	// The events carry the request that they are about, and nothing else.
	const attempts = new WeakMap<object, Attempt>();
	const failed = (error: Error, req?: object): void => {
		if (req !== undefined) attempts.get(req)?.failed(error);
	};
	const middleware = createProxyMiddleware({
		target: url,
		agent,
		selfHandleResponse: true,
		xfwd: false,
		// The default plugins write responses and logs of their own.
		ejectPlugins: true,
		plugins: [
			(proxy) => {
				proxy.on('proxyReq', (outgoing, req) => {
					const attempt = attempts.get(req);
					if (attempt === undefined) return;
					attempt.outgoing = outgoing;
					// An unrequested 101 would leave the request waiting for a response that never comes.
					outgoing.once('upgrade', (_response, socket) => {
						socket.destroy();
						attempt.failed(new UpstreamFailure('invalidResponse'));
					});
				});
				proxy.on('proxyRes', (response, req) => attempts.get(req)?.responded(response));
				proxy.on('error', failed);
				proxy.on('econnreset', failed);
			},
		],
	});
	return {
		forward: (request) => {
			return new Promise<UpstreamResponse>((resolve, reject) => {
				const incoming = incomingOf(request);
				const response = unusedResponse();
				const attempt = beginAttempt(request, resolve, (failure) => {
					response.destroy();
					// Connections that have been idle for longer are no fresher than this one.
					if (failure instanceof UpstreamFailure && failure.kind === 'staleConnection')
						closeIdleSockets(agent);
					reject(failure);
				});
				attempts.set(incoming, attempt);
				const report = (error: unknown): void => {
					if (error !== undefined) attempt.failed(error);
				};
				middleware(incoming, response, report).catch(report);
			});
		},
		close: () => retireAgent(agent),
	};
}

/** The request in place of the client's: with the gateway's headers, and a body that can be sent a second time. */
function incomingOf({ method, url, headers, body }: ForwardRequest): IncomingMessage {
	const stream = Readable.from(body === undefined ? [] : [body]);
	const head = { method, url, headers: { ...headers }, httpVersion: '1.1', httpVersionMajor: 1 };
	return Object.assign(stream, head) as unknown as IncomingMessage;
}

/** The response in place of the client's, which another instance may still write. Destroying it aborts the attempt. */
function unusedResponse(): ServerResponse {
	return new Writable().on('error', () => undefined) as unknown as ServerResponse;
}

function beginAttempt(
	request: ForwardRequest,
	resolve: (response: UpstreamResponse) => void,
	reject: (failure: unknown) => void,
): Attempt {
	const { method, responseTimeoutMs, idleTimeoutMs, signal } = request;
	let settled = false;
	let body: StreamedBody | undefined;
	const timer = setTimeout(() => attempt.failed(new UpstreamFailure('responseTimeout')), responseTimeoutMs);
	const onAbort = (): void => {
		if (body === undefined) attempt.failed(signal.reason);
		else body.abort();
	};
	const settle = (): boolean => {
		const first = !settled;
		settled = true;
		clearTimeout(timer);
		return first;
	};
	const attempt: Attempt = {
		failed: (cause) => {
			if (!settle()) return;
			signal.removeEventListener('abort', onAbort);
			const { outgoing } = attempt;
			resetConnection(outgoing?.socket ?? undefined);
			reject(classify(cause, outgoing));
		},
		responded: (response) => {
			const { statusCode: status = 0, headers } = response;
			if (status < 200 || status > 599 || hasUnknownCoding(headers))
				attempt.failed(new UpstreamFailure('invalidResponse'));
			if (!settle()) return;
			const untilClosed = endsWithConnection(method, status, headers);
			body = new StreamedBody(response, { untilClosed, idleTimeoutMs });
			resolve({ status, headers, body });
		},
	};
	if (signal.aborted) queueMicrotask(onAbort);
	else signal.addEventListener('abort', onAbort);
	return attempt;
}

// Node refused to send the request: a bug of the gateway, not a failure of the instance.
const gatewayBug = /^ERR_(?:INVALID|UNESCAPED|HTTP)_/;

function classify(cause: unknown, outgoing: ClientRequest | undefined): unknown {
	if (cause instanceof UpstreamFailure) return cause;
	const code: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined;
	if (typeof code !== 'string' || gatewayBug.test(code)) return cause;
	if (code.startsWith('HPE_')) return new UpstreamFailure('invalidResponse', cause);
	return new UpstreamFailure(brokenConnection(outgoing?.reusedSocket === true), cause);
}
