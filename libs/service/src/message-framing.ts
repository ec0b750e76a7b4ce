import type { IncomingMessage } from 'node:http';

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
