import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import { hasBody } from './has-body.ts';

// How long what is still being sent after a refusal is read and dropped before the connection is closed.
const lingerMs = 1_000;

const answered = new WeakSet<ServerResponse>();

/**
 * Ends an answer with its whole body. Where the request's own body is still coming, it is read and dropped for a
 * moment first: closing at once resets the connection, and many clients then lose the answer that tells them why;
 * reading on for ever would let them send a gigabyte to nobody.
 * @param body as text, because Node sends that in one piece with the head, and bytes in a second one
 */
export function endResponse(res: Response, body: string | undefined): void {
	const { req } = res;
	// A request without a body isn't complete yet while the listener is called; its connection is as good as new.
	if (req.complete || req.destroyed || !hasBody(req)) {
		res.end(body);
		return;
	}
	res.setHeader('Connection', 'close');
	// Content-Length is set, so the caller has the whole answer once this is written; the end only closes.
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

/** Notes that the client was sent a whole answer, although the response's own end hasn't come or never will. */
export function markResponseSent(res: ServerResponse): void {
	answered.add(res);
}

/** Whether the client was sent a whole answer. A closed response of which this isn't true was broken off. */
export function isResponseSent(res: ServerResponse): boolean {
	return res.writableFinished || answered.has(res);
}
