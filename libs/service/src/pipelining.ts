import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Connection } from './protocol-refusals.ts';

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
