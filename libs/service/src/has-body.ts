import type { IncomingMessage } from 'node:http';

/** Whether the head announces a body; a length of 0 means no body. */
export function hasBody(req: IncomingMessage): boolean {
	return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}
