import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, apiError, type CommonErrorCode, errorEnvelope } from '@paddock/contract';
import { requestIdOf } from '@paddock/telemetry';
import { isBegun, isResponseSent, markResponseSent, pendingResponse } from './http-messages.ts';
import { methods } from './server-span.ts';

/** A request refused before it reached the listener. */
export interface ProtocolRefusal {
	readonly status: number;
	readonly requestId: string;
	/** The address of the connected peer; undefined if it has already disconnected. */
	readonly peer: string | undefined;
	/** The parser's own code, e.g. HPE_INVALID_METHOD. */
	readonly cause: string;
}

interface ProtocolRefusalsOptions {
	readonly now: () => Date;
	/** Receives refusals for logging and counting, because these requests never reach the listener. */
	readonly onRefused: (refusal: ProtocolRefusal) => void;
}

interface ProtocolError extends Error {
	code?: string;
}

// Time for the refused client to read its response; further data from it is discarded.
const lingerMs = 1_000;

/**
 * Sends an enveloped response for CONNECT and for requests refused by the HTTP parser: Node would respond without one
 * or just close the connection.
 */
export function respondToProtocolErrors(server: Server, options: ProtocolRefusalsOptions): void {
	const refused = new WeakSet<Socket>();
	server.on('clientError', (error: ProtocolError, socket: Socket) => {
		// Each further unparsable chunk raises another error; the response is already being sent.
		if (refused.has(socket)) return;
		const pending = pendingResponse(socket);
		if (pending?.req.complete === true && socket.writable && error.code !== 'ECONNRESET') {
			refused.add(socket);
			refuseBehind(pending, socket, () => refuse(socket, codeOf(error), causeOf(error), options));
			return;
		}
		if (pending?.headersSent === true && isResponseSent(pending)) {
			// The listener has refused the request by its head; that response is sent first.
			refused.add(socket);
			destroyLater(socket);
			return;
		}
		// A second head in the middle of a response would be read as part of its body.
		if (error.code === 'ECONNRESET' || !socket.writable || pending?.headersSent === true) {
			socket.destroy();
			return;
		}
		refused.add(socket);
		refuse(socket, codeOf(error), causeOf(error), options);
	});
	server.on('connect', (_req: IncomingMessage, socket: Socket) => {
		restoreListeners(server, socket);
		socket.resume();
		const refuseNow = (): void => refuse(socket, 'METHOD_NOT_ALLOWED', 'CONNECT', options);
		const pending = pendingResponse(socket);
		if (pending === undefined) refuseNow();
		else refuseBehind(pending, socket, refuseNow);
	});
}

/** Node removes its listeners from the socket of a CONNECT; pending responses still need these. */
function restoreListeners(server: Server, socket: Socket): void {
	// Without a listener a reset would crash the process.
	socket.on('error', () => socket.destroy());
	socket.on('timeout', () => server.emit('timeout', socket));
	// A paused response continues at this event (`socketOnDrain` in Node's `_http_server.js`).
	socket.on('drain', () => {
		const pending = pendingResponse(socket);
		if (pending?.writableEnded === false) pending.emit('drain');
	});
}

/**
 * Refuses the data after complete requests on their connection. Those may have been executed, so their responses are
 * sent first. RFC 9112 §9.3.2: responses have the order of their requests.
 */
function refuseBehind(pending: ServerResponse, socket: Socket, refuseNow: () => void): void {
	// At 'close' the connection already has the next response, if another request is waiting.
	pending.once('close', () => {
		if (!socket.writable) return;
		const next = pendingResponse(socket);
		if (next?.req.complete === true) refuseBehind(next, socket, refuseNow);
		else refuseNow();
	});
}

function refuse(
	socket: Socket,
	code: CommonErrorCode,
	cause: string,
	{ now, onRefused }: ProtocolRefusalsOptions,
): void {
	const failure = apiError(code);
	const requestId = requestIdOf({});
	const pending = pendingResponse(socket);
	if (pending !== undefined && isBegun(pending)) {
		// The listener logs and counts the request; this is its response.
		pending.statusCode = failure.status;
		markResponseSent(pending);
	} else onRefused({ status: failure.status, requestId, peer: socket.remoteAddress, cause });
	socket.end(responseText(failure, requestId, now()));
	destroyLater(socket);
}

// A client that keeps its side half-open would otherwise keep the connection forever.
function destroyLater(socket: Socket): void {
	const timer = setTimeout(() => socket.destroy(), lingerMs);
	socket.once('close', () => clearTimeout(timer));
}

function responseText(failure: ApiError, requestId: string, now: Date): string {
	const body = JSON.stringify(errorEnvelope(failure.toData(requestId), failure.message, now));
	return [
		`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
		`Date: ${now.toUTCString()}`,
		'Content-Type: application/json; charset=utf-8',
		`Content-Length: ${Buffer.byteLength(body)}`,
		'Cache-Control: no-store',
		"Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
		'X-Content-Type-Options: nosniff',
		`X-Request-Id: ${requestId}`,
		...(failure.status === 405 ? [`Allow: ${[...methods].join(', ')}`] : []),
		'Connection: close',
		'',
		body,
	].join('\r\n');
}

function causeOf({ code, message }: ProtocolError): string {
	return code ?? message;
}

function codeOf({ code }: ProtocolError): CommonErrorCode {
	if (code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE';
	if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 'PAYLOAD_TOO_LARGE';
	if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'REQUEST_TIMEOUT';
	return 'MALFORMED_REQUEST';
}
