import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** Maximum number of waiting pipelined requests per connection; a connection with more is closed. */
const waitingMax = 100;
/** A connection with more waiting requests isn't read, which bounds the memory that they use. */
const readAheadMax = 1;

/** The responses of each connection that aren't finished, in the order of their requests. */
const unfinished = new WeakMap<Duplex, ServerResponse[]>();
const notBegun = new WeakSet<ServerResponse>();
const held = new WeakSet<Socket>();

/** The response that is written to the connection, or will be next; undefined between requests. */
export function pendingResponse(connection: Duplex): ServerResponse | undefined {
	return unfinished.get(connection)?.[0];
}

/** Calls `run` when the complete requests of a connection have their responses; never if one ends the connection. */
export function afterResponses(socket: Socket, run: () => void): void {
	const pending = pendingResponse(socket);
	if (pending?.req.complete !== true) {
		run();
		return;
	}
	// At 'close' the connection already has the next response, if another request is waiting.
	pending.once('close', () => {
		if (socket.writable) afterResponses(socket, run);
	});
}

/** Node removes its listeners from the socket of a CONNECT or an upgrade; pending responses need these. @returns their removal */
export function restoreListeners(server: Server, socket: Socket): () => void {
	const listeners = {
		// Without a listener a reset would crash the process.
		error: () => void socket.destroy(),
		timeout: () => void server.emit('timeout', socket),
		// A paused response continues at this event (`socketOnDrain` in Node's `_http_server.js`).
		drain: () => {
			const pending = pendingResponse(socket);
			if (pending?.writableEnded === false) pending.emit('drain');
		},
	};
	for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
	return () => {
		for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
	};
}

export function isBegun(res: ServerResponse): boolean {
	return !notBegun.has(res);
}

/** Calls `listener` for pipelined requests one after the other, as RFC 9112 §9.3.2 requires of unsafe ones. */
export function oneAtATime(listener: RequestListener): RequestListener {
	// A listener of 'finish' that needn't be created for each response.
	function beginNext(this: ServerResponse): void {
		const { socket } = this.req;
		const responses = unfinished.get(socket) ?? [];
		responses.shift();
		const next = responses[0];
		if (next === undefined) return;
		if (!hasReadAhead(socket)) socket.resume();
		// The events of the finished response come first.
		process.nextTick(() => {
			if (isEnded(socket)) return;
			notBegun.delete(next);
			listener(next.req, next);
		});
	}
	return (req, res) => {
		const { socket } = req;
		if (isEnded(socket)) return;
		const responses = responsesOf(socket);
		if (responses.length > waitingMax) {
			// One read of the socket may contain thousands of requests, all parsed before the connection is paused.
			socket.destroy();
			return;
		}
		responses.push(res);
		// Node has a listener of its own, called before, that attaches the next response to the connection.
		res.once('finish', beginNext);
		if (responses.length === 1) {
			listener(req, res);
			return;
		}
		notBegun.add(res);
		if (hasReadAhead(socket)) hold(socket);
	};
}

function responsesOf(socket: Socket): ServerResponse[] {
	let responses = unfinished.get(socket);
	if (responses === undefined) {
		responses = [];
		unfinished.set(socket, responses);
	}
	return responses;
}

/** RFC 9112 §9.6: after a response with `Connection: close` no further request is processed. */
function isEnded(socket: Socket): boolean {
	return socket.writableEnded || socket.destroyed;
}

function hasReadAhead(socket: Socket): boolean {
	return responsesOf(socket).length - 1 > readAheadMax;
}

/** Pauses a connection until fewer requests wait. */
function hold(socket: Socket): void {
	socket.pause();
	if (held.has(socket)) return;
	held.add(socket);
	// Reading a request's body resumes its connection.
	socket.on('resume', () => {
		if (hasReadAhead(socket)) socket.pause();
	});
}

/**
 * Ignores offers of other protocols, e.g. h2c (RFC 9110 §7.8 permits that). Node's parser would drop the bytes behind such a
 * request, so the connection begins anew, with the same request without its offer.
 */
export function ignoreUpgradeOffers(server: Server): void {
	server.on('upgrade', (req: IncomingMessage, socket: Socket, rest: Buffer) => {
		const forgetListeners = restoreListeners(server, socket);
		afterResponses(socket, () => {
			forgetListeners();
			socket.unshift(Buffer.concat([headWithoutOffer(req), rest]));
			server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
		});
	});
}

/** The strict parser has accepted these texts, so they mean the same when they are parsed again. */
function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
	const lines = [`${method} ${url} HTTP/${httpVersion}`];
	for (let at = 0; at < rawHeaders.length; at += 2) {
		if (rawHeaders[at]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
	}
	return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
