import type { IncomingMessage } from 'node:http';
import { apiError } from '@paddock/contract';
import { hasBody } from './http-messages.ts';

/**
 * Reads a request's uncompressed body of at most `bytesMax` bytes; empty if there is none. Rejects as soon as the body
 * is known to be too large and leaves the remainder unread: Express's own parsers read it to its end first.
 * @throws ApiError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE for a compressed one, MALFORMED_REQUEST for a cut-off one.
 */
export async function readBody(req: IncomingMessage, bytesMax: number): Promise<Buffer> {
	const { 'content-length': length = '0', 'content-encoding': encoding = 'identity' } = req.headers;
	if (encoding.toLowerCase() !== 'identity') throw apiError('UNSUPPORTED_MEDIA_TYPE');
	if (Number(length) > bytesMax) throw apiError('PAYLOAD_TOO_LARGE');
	// A stream without a body has ended before any listener is added (http-server.ts) and emits no events.
	if (!hasBody(req)) return Buffer.alloc(0);
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		// The refusal of a large body is sent over the connection, which the end of an ordinary loop would destroy.
		for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
			bytes += chunk.length;
			if (bytes > bytesMax) break;
			chunks.push(chunk);
		}
	} catch (cause) {
		throw apiError('MALFORMED_REQUEST', { message: 'The body ended early.', cause });
	}
	if (bytes > bytesMax) throw apiError('PAYLOAD_TOO_LARGE');
	return Buffer.concat(chunks);
}
