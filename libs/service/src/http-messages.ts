import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import type { Response } from 'express';

// Time during which the rest of a refused request is read and discarded before the connection is closed.
const lingerMs = 1_000;

const responded = new WeakSet<ServerResponse>();

// A larger body isn't worth being turned into text.
const smallBytes = 16_384;

/**
 * The reason why the end of a request's body is ambiguous, as a message for the caller; undefined if it isn't. After
 * such a request the next hop may take other bytes for the next request, so its connection must be closed (RFC 9112
 * §6.1, §6.3).
 */
export function framingFault(req: IncomingMessage): string | undefined {
	const coding = req.headers['transfer-encoding'];
	if (coding === undefined) return undefined;
	// Lists and repeated fields, which Node joins, are refused too: no other coding is implemented.
	if (coding.trim().toLowerCase() !== 'chunked') return 'Only the transfer coding chunked is known.';
	// HTTP/1.0 has no chunks; with an additional Content-Length, two hops may disagree about the end.
	if (req.httpVersion === '1.0' || req.headers['content-length'] !== undefined)
		return 'The length of the body is ambiguous.';
	return undefined;
}

/** Whether the head announces a body; a length of 0 means no body. */
export function hasBody(req: IncomingMessage): boolean {
	return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/**
 * Whether only the end of the connection ends the body (RFC 9112 §6.3). undici and Node's client take a reset for that
 * end; half a body would look whole, so a forwarder must check how the socket ended.
 */
export function endsWithConnection(method: string, status: number, headers: IncomingHttpHeaders): boolean {
	return (
		headers['content-length'] === undefined &&
		headers['transfer-encoding'] === undefined &&
		status !== 204 &&
		status !== 304 &&
		method !== 'HEAD'
	);
}

/** Ends a response with the rest of its body. As text a small one goes out in one packet with the head, as bytes in two. */
export function endWith(res: Writable, rest: Buffer | undefined): void {
	if (rest === undefined) res.end();
	else if (rest.length > smallBytes) res.end(rest);
	else res.end(rest.toString('latin1'), 'latin1');
}

/**
 * Ends a response with its whole body. If the request body is still arriving, it is first read and discarded for a
 * limited time: closing at once resets the connection and many clients then lose the response; reading without limit
 * would let a client send gigabytes for nothing.
 * @param body as text unless it is compressed, because Node sends text in one piece with the head but bytes in a second piece
 */
export function endResponse(res: Response, body: string | Buffer | undefined): void {
	const { req } = res;
	// A request without a body isn't marked complete while the listener runs; its connection can be reused.
	if (req.complete || req.destroyed || !hasBody(req)) {
		res.end(body);
		return;
	}
	res.setHeader('Connection', 'close');
	// Content-Length is set, so the caller has the whole response once this is written; the end only closes.
	if (body === undefined) res.flushHeaders();
	else res.write(body);
	markResponseSent(res);
	const finish = (): void => {
		clearTimeout(timer);
		req.off('end', finish);
		res.end();
	};
	const timer = setTimeout(finish, lingerMs);
	req.once('end', finish);
	res.once('close', () => clearTimeout(timer));
	req.unpipe();
	req.resume();
}

/** Records that the client was sent a whole response, even if the response's own end never comes. */
export function markResponseSent(res: ServerResponse): void {
	responded.add(res);
}

/** Whether the client was sent a whole response. If false for a closed response, the response was cut off. */
export function isResponseSent(res: ServerResponse): boolean {
	return res.writableFinished || responded.has(res);
}

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

/** Whether the listener has been called for the response's request. */
export function isBegun(res: ServerResponse): boolean {
	return !notBegun.has(res);
}

/**
 * Calls `listener` for the requests of one connection one after the other. Node calls it for a pipelined request while
 * the previous response is pending, although RFC 9112 §9.3.2 allows that only if all of them have safe methods.
 */
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
