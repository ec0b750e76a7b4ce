import type { Response } from 'express';

// How long what is still being sent after a refusal is read and dropped before the connection is closed.
const lingerMs = 1_000;

/**
 * Ends an answer with its whole body. Where the request's own body is still coming, it is read and dropped for a
 * moment first: closing at once resets the connection, and many clients then lose the answer that tells them why;
 * reading on for ever would let them send a gigabyte to nobody.
 */
export function endAnswer(res: Response, body: Buffer | undefined): void {
	const { req } = res;
	if (req.complete || req.destroyed) {
		res.end(body);
		return;
	}
	res.setHeader('Connection', 'close');
	// Content-Length is set, so the caller has the whole answer once this is written; the end only closes.
	if (body === undefined) res.flushHeaders();
	else res.write(body);
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
