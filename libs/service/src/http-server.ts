import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { MutualTls } from '@paddock/discovery';
import { framingFault, oneAtATime, pendingResponse } from './http-messages.ts';
import { type ListeningSockets, openListeningSockets } from './listening-sockets.ts';
import { type ProtocolRefusal, respondToProtocolErrors } from './protocol-refusals.ts';
import { createTlsServer, type TlsServer } from './tls-server.ts';

interface HttpServerOptions {
	readonly listener: RequestListener;
	readonly host: string;
	readonly port: number;
	/**
	 * Must exceed the idle time-out of clients that keep connections open, so that the server never closes one first.
	 */
	readonly keepAliveTimeoutMs: number;
	readonly headersTimeoutMs: number;
	readonly requestTimeoutMs: number;
	/** Time-out for a client that reads nothing of the pending data; one minute by default. */
	readonly unreadTimeoutMs?: number;
	/** Limit for request line and headers together; beyond it the parser itself responds with 431. */
	readonly headerBytesMax: number;
	readonly now: () => Date;
	/** Without it, connections are plain HTTP. */
	readonly tls?: MutualTls | undefined;
	/** Number of listening sockets on the port, for a server with bursts of new connections; one by default. */
	readonly listeningSockets?: number;
	/** Receives requests refused by the parser; they never reach the listener. */
	readonly onRefused?: (refusal: ProtocolRefusal) => void;
}

/** A listening server and its orderly end. */
export interface HttpServer {
	readonly server: Server;
	readonly port: number;
	/** Open connections, also those without a request. */
	connections(): number;
	/** Adds `Connection: close` to the next responses, for the clients to reconnect; replaces the former number. */
	closeNext(responses: number): void;
	/** Adds `Connection: close` to all further responses; new connections are still served. */
	announceClose(): void;
	/** Stops accepting and waits for requests in flight; cuts the remaining ones after the time-out. */
	close(timeoutMs: number): Promise<void>;
}

/** Starts a server on a port. @throws the listen error, e.g. EADDRINUSE. */
export async function listen(options: HttpServerOptions): Promise<HttpServer> {
	let closing = false;
	let toClose = 0;
	const isToClose = (): boolean => {
		if (toClose === 0) return false;
		toClose -= 1;
		return true;
	};
	const listener = oneAtATime((req, res) => {
		// Ends the connections of former certificates, also those of peers whose authority was removed.
		if (closing || mustBeLast(req) || isOutdated?.(req.socket) === true || isToClose())
			res.setHeader('Connection', 'close');
		options.listener(req, res);
	});
	const { server, isOutdated } = createUnopened(options, listener);
	// Both sockets of a TLS connection.
	const sockets = new Set<Socket>();
	const track = (socket: Socket): void => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	};
	let connections = 0;
	server.on('connection', (socket: Socket) => {
		track(socket);
		connections += 1;
		socket.once('close', () => {
			connections -= 1;
		});
	});
	server.on('secureConnection', track);
	// Node silently drops headers beyond a count; the byte limit bounds them instead, without dropping any.
	server.maxHeadersCount = 0;
	closeUnread(server, options.unreadTimeoutMs ?? 60_000);
	respondToProtocolErrors(server, { now: options.now, onRefused: options.onRefused ?? (() => undefined) });
	server.on('checkContinue', (req, res) => {
		// Node would send 100 Continue at once. A request refused by its head needn't send its body.
		req.once('resume', () => {
			if (!res.headersSent) res.writeContinue();
		});
		listener(req, res);
	});
	// RFC 9110 §10.1.1 lets the listener decide whether to refuse an unknown expectation.
	server.on('checkExpectation', listener);
	const { host, port, listeningSockets = 1 } = options;
	const listening = await openListeningSockets(server, { host, port, listeningSockets });
	return {
		server,
		port: listening.port,
		connections: () => connections,
		closeNext: (responses) => {
			toClose = responses;
		},
		announceClose: () => {
			closing = true;
		},
		close: async (timeoutMs) => {
			closing = true;
			await closeServer({ server, listening, sockets }, timeoutMs);
		},
	};
}

function createUnopened(
	options: HttpServerOptions,
	listener: RequestListener,
): Pick<TlsServer, 'server'> & Partial<TlsServer> {
	const httpOptions = {
		keepAliveTimeout: options.keepAliveTimeoutMs,
		headersTimeout: options.headersTimeoutMs,
		requestTimeout: options.requestTimeoutMs,
		// With the default of 30 s a stalled header would stay open for that much longer than its time-out.
		connectionsCheckingInterval: 1_000,
		maxHeaderSize: options.headerBytesMax,
		// Node would refuse a request without Host itself, without our envelope.
		requireHostHeader: false,
		// A request without a body is a stream that has ended from the start and emits nothing, so it needn't be
		// drained.
		optimizeEmptyRequests: true,
	};
	if (options.tls === undefined) return { server: createServer(httpOptions, listener) };
	return createTlsServer(httpOptions, options.tls, listener);
}

/**
 * Whether bytes after the request must not be parsed as another one: after an ambiguous body, and after an upgrade
 * offer, because the parser drops them as data of the other protocol (RFC 9110 §7.8 allows ignoring the offer).
 */
function mustBeLast(req: IncomingMessage): boolean {
	return req.headers.upgrade !== undefined || framingFault(req) !== undefined;
}

/**
 * Closes connections whose client doesn't read its responses: each could keep its requests in flight indefinitely, and
 * Node has no time limit for that. A connection without pending data waits for the server and stays open.
 */
function closeUnread(server: Server, timeoutMs: number): void {
	server.setTimeout(timeoutMs, (socket) => {
		const isBetweenRequests = pendingResponse(socket) === undefined;
		if (isBetweenRequests || socket.writableLength > 0) socket.destroy();
	});
}

// Time for the most recently accepted connection to deliver its request.
const arrivalMs = 200;
const sweepMs = 50;

interface OpenServer {
	readonly server: Server;
	readonly listening: ListeningSockets;
	readonly sockets: ReadonlySet<Socket>;
}

async function closeServer({ server, listening, sockets }: OpenServer, timeoutMs: number): Promise<void> {
	const closed = listening.close();
	let sweep: NodeJS.Timeout | undefined;
	const arrived = setTimeout(() => {
		// A connection that has sent nothing would delay the close until the headers time-out.
		for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
		// Kept-alive connections become idle one by one, as their responses end.
		sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
	}, arrivalMs);
	// `closeAllConnections` omits the connection of a CONNECT.
	const cut = setTimeout(() => {
		for (const socket of sockets) socket.destroy();
	}, timeoutMs);
	await closed;
	clearTimeout(arrived);
	clearInterval(sweep);
	clearTimeout(cut);
}
