import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import { hasBody } from './message-framing.ts';

// Time during which the rest of a refused request is read and discarded before the connection is closed.
const lingerMs = 1_000;

const responded = new WeakSet<ServerResponse>();

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
