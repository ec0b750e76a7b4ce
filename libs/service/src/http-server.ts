import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Acceptors, acceptTogether } from './accept-together.ts';
import { framingFault } from './message-framing.ts';
import { oneAtATime } from './pipelining.ts';
import { answerProtocolErrors, type Connection, type ProtocolRefusal } from './protocol-refusals.ts';

export interface HttpServerOptions {
	readonly listener: RequestListener;
	readonly host: string;
	readonly port: number;
	/** Longer than the idle time of whoever keeps connections to this server, so that it never closes one first. */
	readonly keepAliveTimeoutMs: number;
	readonly headersTimeoutMs: number;
	readonly requestTimeoutMs: number;
	/** How long a client may take nothing of what is there for it; a minute unless given. */
	readonly unreadTimeoutMs?: number;
	/** Of request line and headers together; past it the parser itself answers 431. */
	readonly headerBytesMax: number;
	readonly now: () => Date;
	/** Listening sockets on the port, for a server that many connect to at once; one unless given. */
	readonly acceptors?: number;
	/** Told of what the parser refuses; it never reaches the listener. */
	readonly onRefused?: (refusal: ProtocolRefusal) => void;
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
	const listener = oneAtATime((req, res) => {
		if (closing || mustBeLast(req)) res.setHeader('Connection', 'close');
		options.listener(req, res);
	});
	const server = createServer(
		{
			keepAliveTimeout: options.keepAliveTimeoutMs,
			headersTimeout: options.headersTimeoutMs,
			requestTimeout: options.requestTimeoutMs,
			// The default of 30 s would let a stalled header live for that much longer than its time-out.
			connectionsCheckingInterval: 1_000,
			maxHeaderSize: options.headerBytesMax,
			// Node would refuse a request without Host by itself, in no envelope.
			requireHostHeader: false,
			// What has no body is a stream that has ended from the start and emits nothing, rather than one to be drained.
			optimizeEmptyRequests: true,
		},
		listener,
	);
	const sockets = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	// Node drops headers past a number without a word; the limit of their bytes bounds them, and nothing is hidden.
	server.maxHeadersCount = 0;
	closeUnread(server, options.unreadTimeoutMs ?? 60_000);
	answerProtocolErrors(server, { now: options.now, onRefused: options.onRefused ?? (() => undefined) });
	server.on('checkContinue', (req, res) => {
		// Node would ask for the body at once. One that is refused by its head needn't be sent at all.
		req.once('resume', () => {
			if (!res.headersSent) res.writeContinue();
		});
		listener(req, res);
	});
	// RFC 9110 §10.1.1 leaves it to the listener whether an expectation that nobody knows is refused.
	server.on('checkExpectation', listener);
	const { host, port, acceptors = 1 } = options;
	const accepting = await acceptTogether(server, { host, port, acceptors });
	return {
		server,
		port: accepting.port,
		announceClose: () => {
			closing = true;
		},
		close: async (timeoutMs) => {
			closing = true;
			await closeServer({ server, accepting, sockets }, timeoutMs);
		},
	};
}

/**
 * Whether bytes behind the request can't be taken for another one: those behind an ambiguous body, and those behind an
 * offer to upgrade, which the parser drops as it takes them for the other protocol (RFC 9110 §7.8 allows to ignore it).
 */
function mustBeLast(req: IncomingMessage): boolean {
	return req.headers.upgrade !== undefined || framingFault(req) !== undefined;
}

/**
 * Closes connections whose client takes nothing of its answers: each would keep its requests in flight for as long as
 * it likes, and Node has no time limit for that. One that has nothing to take yet waits for us and stays.
 */
function closeUnread(server: Server, timeoutMs: number): void {
	server.setTimeout(timeoutMs, (socket: Connection) => {
		const isBetweenRequests = !socket._httpMessage;
		if (isBetweenRequests || socket.writableLength > 0) socket.destroy();
	});
}

// How long a connection that was accepted last may take to deliver its request.
const arrivalMs = 200;
const sweepMs = 50;

interface OpenServer {
	readonly server: Server;
	readonly accepting: Acceptors;
	readonly sockets: ReadonlySet<Socket>;
}

async function closeServer({ server, accepting, sockets }: OpenServer, timeoutMs: number): Promise<void> {
	const closed = accepting.close();
	let sweep: NodeJS.Timeout | undefined;
	const arrived = setTimeout(() => {
		// Whoever still says nothing would be waited for until the headers' time-out.
		for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
		// Kept-alive connections become idle one by one, as their answers end.
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
