import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, apiError, type CommonErrorCode, errorEnvelope } from '@paddock/contract';
import { requestIdOf } from '@paddock/telemetry';
import { isResponseSent, markResponseSent } from './http-messages.ts';
import { afterResponses, isBegun, pendingResponse, restoreListeners } from './pipelining.ts';
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

/** Sends an enveloped response for CONNECT and for requests refused by the HTTP parser. */
export function respondToProtocolErrors(server: Server, options: ProtocolRefusalsOptions): void {
	const refused = new WeakSet<Socket>();
	server.on('clientError', (error: ProtocolError, socket: Socket) => {
		// Each further unparsable chunk raises another error; the response is already being sent.
		if (refused.has(socket)) return;
		const pending = pendingResponse(socket);
		if (pending?.req.complete === true && socket.writable && error.code !== 'ECONNRESET') {
			refused.add(socket);
			afterResponses(socket, () => refuse(socket, codeOf(error), causeOf(error), options));
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
		afterResponses(socket, () => refuse(socket, 'METHOD_NOT_ALLOWED', 'CONNECT', options));
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
