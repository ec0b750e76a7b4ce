import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

// Time during which the rest of a refused request is read and discarded before the connection is closed.
const lingerMs = 1_000;

const responded = new WeakSet<ServerResponse>();

// A larger body isn't worth being turned into text.
const smallBytes = 16_384;

// RFC 9110 §7.2: a name or an address, and a port. Other content could change links that are built from it.
const hostFormat = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Why the Host header is invalid (RFC 9112 §3.2), as a message for the caller; undefined if it isn't. */
export function hostFault(req: IncomingMessage): string | undefined {
	const count = countOf(req.rawHeaders, 'host');
	if (count === 0 && req.httpVersion === '1.0') return undefined;
	if (count === 1 && hostFormat.test(req.headers.host ?? '')) return undefined;
	return 'Exactly one valid Host header is required.';
}

function countOf(rawHeaders: readonly string[], name: string): number {
	let count = 0;
	for (let index = 0; index < rawHeaders.length; index += 2) {
		if (rawHeaders[index]?.toLowerCase() === name) count += 1;
	}
	return count;
}

/**
 * Why the end of a request's body is ambiguous, for the caller; undefined if it isn't. Its connection must be closed, as the
 * next hop may take other bytes for the next request (RFC 9112 §6.1, §6.3).
 */
export function framingFault(req: IncomingMessage): string | undefined {
	const coding = req.headers['transfer-encoding'];
	if (coding === undefined) return undefined;
	if (hasUnknownCoding(req.headers)) return 'Only the transfer coding chunked is known.';
	// HTTP/1.0 has no chunks; with an additional Content-Length, two hops may disagree about the end.
	if (req.httpVersion === '1.0' || req.headers['content-length'] !== undefined)
		return 'The length of the body is ambiguous.';
	return undefined;
}

/** Whether the body has another transfer coding than chunked; repeated fields are joined or, by undici, an array. */
export function hasUnknownCoding(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
	const coding = headers['transfer-encoding'];
	if (coding === undefined || coding === 'chunked') return false;
	return String(coding).trim().toLowerCase() !== 'chunked';
}

/** Whether the head announces a body; a length of 0 means no body. */
export function hasBody(req: IncomingMessage): boolean {
	return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/** Whether only the end of the connection ends the body (RFC 9112 §6.3): the clients take a reset for that end. */
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
export function endResponse(res: ServerResponse, body: string | Buffer | undefined): void {
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

// RFC 9110 §7.8: a list of names, each with an optional version.
const webSocket = /(?:^|,)\s*websocket\s*(?:[/,]|$)/i;

/** Whether a request offers WebSocket: its client waits for the other protocol, so ignoring the offer would not help it. */
export function offersWebSocket({ headers }: IncomingMessage): boolean {
	return headers.upgrade !== undefined && webSocket.test(headers.upgrade);
}
