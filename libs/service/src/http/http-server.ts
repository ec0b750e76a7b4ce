import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerOptions,
	type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { MutualTls } from '@paddock/discovery';
import { closeServer, untilQuiet } from './close-server.ts';
import { framingFault, offersWebSocket } from './http-messages.ts';
import { openListeningSockets } from './listening-sockets.ts';
import { ignoreUpgradeOffers, oneAtATime, pendingResponse } from './pipelining.ts';
import { type ProtocolRefusal, respondToProtocolErrors } from './protocol-refusals.ts';

interface HttpServerOptions {
	readonly listener: RequestListener;
	readonly host: string;
	readonly port: number;
	/** Must exceed the idle time-out of clients, so that the server never closes a connection first. */
	readonly keepAliveTimeoutMs: number;
	readonly headersTimeoutMs: number;
	readonly requestTimeoutMs: number;
	/** Time-out for a client that reads nothing of the pending data; one minute by default. */
	readonly unreadTimeoutMs?: number;
	/** Limit for request line and headers together; beyond it the parser itself responds with 431. */
	readonly headerBytesMax: number;
	readonly now: () => Date;
	readonly tls?: MutualTls | undefined;
	/** Number of listening sockets on the port, for a server with bursts of new connections; one by default. */
	readonly listeningSockets?: number;
	/** Receives requests refused by the parser; they never reach the listener. */
	readonly onRefused?: (refusal: ProtocolRefusal) => void;
}

export type HttpServer = Awaited<ReturnType<typeof listen>>;

/** Starts a server on a port. @throws the listen error, e.g. EADDRINUSE. */
export async function listen(options: HttpServerOptions) {
	let announced = false;
	let toClose = 0;
	let accepted = 0;
	let requests = 0;
	const isToClose = (): boolean => {
		if (toClose === 0) return false;
		toClose -= 1;
		return true;
	};
	const listener = oneAtATime((req, res) => {
		requests += 1;
		// Ends the connections of former certificates, also those of peers whose authority was removed.
		if (announced || mustBeLast(req) || isOutdated?.(req.socket) === true || isToClose())
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
		// An offer to upgrade begins a connection anew.
		if (sockets.has(socket)) return;
		track(socket);
		accepted += 1;
		connections += 1;
		socket.once('close', () => {
			connections -= 1;
		});
	});
	server.on('secureConnection', (socket: Socket) => {
		if (!sockets.has(socket)) track(socket);
	});
	prepare(server, options, listener);
	const { host, port, listeningSockets = 1 } = options;
	const listening = await openListeningSockets(server, { host, port, listeningSockets });
	const announceClose = (): void => {
		announced = true;
		for (const pending of pendingOf(sockets)) {
			if (!pending.headersSent) pending.setHeader('Connection', 'close');
			// The client may send another request on this connection.
			else pending.once('finish', () => (requests += 1));
		}
	};
	return {
		server,
		port: listening.port,
		/** Open connections, also those without a request. */
		connections: (): number => connections,
		/** Adds `Connection: close` to the next responses, for the clients to reconnect; replaces the former number. */
		closeNext: (responses: number): void => {
			toClose = responses;
		},
		/** Adds `Connection: close` to all responses whose head is not written yet; new connections are still served. */
		announceClose,
		/** Stops accepting and waits for requests in flight, at most so long. If announced, first serves until no more arrive. */
		close: async (timeoutMs: number): Promise<void> => {
			const open = { server, listening, sockets, accepted: () => accepted, requests: () => requests };
			if (announced) await untilQuiet(open, timeoutMs);
			else announceClose();
			await closeServer(open, timeoutMs);
		},
	};
}

function prepare(server: Server, options: HttpServerOptions, listener: RequestListener): void {
	// Node silently drops headers beyond a count; the byte limit bounds them instead, without dropping any.
	server.maxHeadersCount = 0;
	closeUnread(server, options.unreadTimeoutMs ?? 60_000);
	respondToProtocolErrors(server, { now: options.now, onRefused: options.onRefused ?? (() => undefined) });
	ignoreUpgradeOffers(server);
	// A client may end its side after the request and still read the response: docs/decisions/0050. Missing in Node's types.
	Object.assign(server, { httpAllowHalfOpen: true });
	server.on('checkContinue', (req, res) => {
		// Node would send 100 Continue at once. A request refused by its head needn't send its body.
		req.once('resume', () => {
			if (!res.headersSent) res.writeContinue();
		});
		listener(req, res);
	});
	// RFC 9110 §10.1.1 lets the listener decide whether to refuse an unknown expectation.
	server.on('checkExpectation', listener);
}

function pendingOf(sockets: ReadonlySet<Socket>): ServerResponse[] {
	return [...sockets].flatMap((socket) => pendingResponse(socket) ?? []);
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
		// The others are ignored: `ignoreUpgradeOffers`.
		shouldUpgradeCallback: (req: IncomingMessage) => !offersWebSocket(req),
	};
	if (options.tls === undefined) return { server: createServer(httpOptions, listener) };
	return createTlsServer(httpOptions, options.tls, listener);
}

/** Whether bytes after the request must not be parsed as another one: after an ambiguous body, and an offer of WebSocket. */
function mustBeLast(req: IncomingMessage): boolean {
	return offersWebSocket(req) || framingFault(req) !== undefined;
}

/** Closes connections whose client doesn't read its responses, for which Node has no time limit. */
function closeUnread(server: Server, timeoutMs: number): void {
	server.setTimeout(timeoutMs, (socket) => {
		const isBetweenRequests = pendingResponse(socket) === undefined;
		if (isBetweenRequests || socket.writableLength > 0) socket.destroy();
	});
}

interface TlsServer {
	readonly server: Server;
	isOutdated(socket: Socket): boolean;
}

/** Creates a server whose new handshakes use replaced certificates; open connections continue with the former ones. */
function createTlsServer(
	options: ServerOptions & { readonly headersTimeout: number },
	tls: MutualTls,
	listener: RequestListener,
): TlsServer {
	const handshakeTimeout = options.headersTimeout;
	// http's own default, which https lacks.
	const allowHalfOpen = true;
	const server = createSecureServer(
		{ ...options, ...tls.server(), handshakeTimeout, allowHalfOpen },
		listener,
	);
	// By address: 'connection', at which the certificates of a handshake are decided, has another socket than the requests.
	let current = new Set<string>();
	server.on('connection', (socket: Socket) => {
		const [peers, peer] = [current, peerOf(socket)];
		peers.add(peer);
		socket.once('close', () => peers.delete(peer));
	});
	// Before Node's own listener, which would treat it as an unparsable request.
	server.prependListener('tlsClientError', (error, socket) => {
		tls.failedHandshakes.add(error, socket);
		socket.destroy();
	});
	tls.onChange(() => {
		server.setSecureContext(tls.server());
		current = new Set();
	});
	return { server, isOutdated: (socket) => !current.has(peerOf(socket)) };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
	return `${remoteAddress} ${remotePort}`;
}
