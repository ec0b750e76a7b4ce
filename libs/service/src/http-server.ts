import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ApiError, commonErrors, failed } from '@paddock/contract';
import { requestIdOf } from './request-context.ts';

export interface HttpServerOptions {
	readonly listener: RequestListener;
	readonly host: string;
	readonly port: number;
	/** Longer than the idle time of whoever keeps connections to this server, so that it never closes one first. */
	readonly keepAliveTimeoutMs: number;
	readonly headersTimeoutMs: number;
	readonly requestTimeoutMs: number;
	/** Of request line and headers together; past it the parser itself answers 431. */
	readonly headerBytesMax: number;
	readonly now: () => Date;
}

export interface HttpServer {
	readonly server: Server;
	readonly port: number;
	/** From now on each answer says `Connection: close`; new connections are still served. */
	announceClose(): void;
	/** Stops accepting and waits for what is in flight; what isn't done by then is cut. */
	close(timeoutMs: number): Promise<void>;
}

/** Listens. @throws the listen error, e.g. EADDRINUSE. */
export async function listen(options: HttpServerOptions): Promise<HttpServer> {
	let closing = false;
	const listener: RequestListener = (req, res) => {
		if (closing) res.setHeader('Connection', 'close');
		options.listener(req, res);
	};
	const server = createServer(
		{
			keepAliveTimeout: options.keepAliveTimeoutMs,
			headersTimeout: options.headersTimeoutMs,
			requestTimeout: options.requestTimeoutMs,
			// The default of 30 s would let a stalled header live for that much longer than its time-out.
			connectionsCheckingInterval: 1_000,
			maxHeaderSize: options.headerBytesMax,
		},
		listener,
	);
	answerProtocolErrors(server, options.now);
	server.on('checkContinue', (req, res) => {
		// Node answers 100 by itself only where nobody listens. A body that is refused anyway needn't be sent.
		res.writeContinue();
		listener(req, res);
	});
	server.on('checkExpectation', (req, res) => {
		const error = new ApiError('EXPECTATION_FAILED', commonErrors.EXPECTATION_FAILED);
		const body = JSON.stringify(failed(error.toData(requestIdOf(req.headers)), error.message, options.now()));
		res.writeHead(417, { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' }).end(body);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(options.port, options.host, () => {
			server.off('error', reject);
			resolve();
		});
	});
	return {
		server,
		port: (server.address() as AddressInfo).port,
		announceClose: () => {
			closing = true;
		},
		close: async (timeoutMs) => {
			closing = true;
			await closeServer(server, timeoutMs);
		},
	};
}

async function closeServer(server: Server, timeoutMs: number): Promise<void> {
	const closed = new Promise<void>((resolve) => server.close(() => resolve()));
	// close() leaves kept-alive connections that are busy now; they become idle one by one.
	const sweep = setInterval(() => server.closeIdleConnections(), 50);
	const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
	await closed;
	clearInterval(sweep);
	clearTimeout(cut);
}

interface ProtocolError extends Error {
	code?: string;
}

/** What the HTTP parser refuses never reaches Express; it gets its envelope here. */
function answerProtocolErrors(server: Server, now: () => Date): void {
	server.on(
		'clientError',
		(error: ProtocolError, socket: Socket & { _httpMessage?: { headersSent: boolean } }) => {
			if (error.code === 'ECONNRESET' || !socket.writable) {
				socket.destroy();
				return;
			}
			// An answer is on its way already: a second head in the middle of it would be read as part of its body.
			if (socket._httpMessage?.headersSent === true) {
				socket.destroy();
				return;
			}
			const code = protocolErrorCode(error.code);
			const failure = new ApiError(code, commonErrors[code]);
			const body = JSON.stringify(
				failed(failure.toData(requestIdOf({} as IncomingMessage['headers'])), failure.message, now()),
			);
			socket.end(
				`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
					`Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
			);
		},
	);
}

function protocolErrorCode(code: string | undefined) {
	if (code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE';
	if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'REQUEST_TIMEOUT';
	return 'MALFORMED_REQUEST';
}
