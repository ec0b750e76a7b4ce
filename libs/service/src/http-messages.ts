import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
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

/** A server's connection; `_httpMessage` is the pending response. */
export type Connection = Duplex & {
	readonly remoteAddress?: string | undefined;
	readonly _httpMessage?: ServerResponse | null;
};

/** Maximum number of waiting pipelined requests per connection; a connection with more is closed. */
const waitingMax = 100;
const waiting = new WeakMap<Connection, number>();

const notBegun = new WeakSet<ServerResponse>();

/** Whether the listener has been called for the response's request. */
export function isBegun(res: ServerResponse): boolean {
	return !notBegun.has(res);
}

/** Counts data waiting to be sent; Node stops reading the connection above a limit (`_http_server.js`). */
interface CountedResponse extends ServerResponse {
	_onPendingData?: (bytes: number) => void;
}

/**
 * Calls `listener` for the requests of one connection one after the other. Node calls it for a pipelined request while
 * the previous response is pending, although RFC 9112 §9.3.2 allows that only if all of them have safe methods.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
	return (req, res) => {
		const socket: Connection = req.socket;
		// RFC 9112 §9.6: after a response with `Connection: close` no further request is processed.
		if (socket.writableEnded || socket.destroyed) return;
		if (socket._httpMessage === res) listener(req, res);
		else callInTurn(listener, req, res);
	};
}

function callInTurn(listener: RequestListener, req: IncomingMessage, res: CountedResponse): void {
	const count = (waiting.get(req.socket) ?? 0) + 1;
	if (count > waitingMax) {
		// One read of the socket may contain thousands of requests, all parsed before the connection is paused.
		req.socket.destroy();
		return;
	}
	waiting.set(req.socket, count);
	notBegun.add(res);
	// Bounds the memory used by waiting requests: two of them pause the connection.
	const bytes = req.socket.writableHighWaterMark;
	res._onPendingData?.(bytes);
	res.once('socket', (socket) => {
		waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
		res._onPendingData?.(-bytes);
		// Node sends the response's buffered data right after this event.
		process.nextTick(() => {
			if (socket.writableEnded || socket.destroyed) return;
			notBegun.delete(res);
			listener(req, res);
		});
	});
}
