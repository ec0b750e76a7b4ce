import type { IncomingMessage } from 'node:http';
import { type ApiError, apiError } from '@paddock/contract';
import { hasBody } from './message-ends.ts';

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
	// A destroyed stream emits no further events.
	if (req.destroyed) throw endedEarly();
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let bytes = 0;
		const settle = (settled: () => void): void => {
			req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError);
			settled();
		};
		const onData = (chunk: Buffer): void => {
			bytes += chunk.length;
			chunks.push(chunk);
			if (bytes <= bytesMax) return;
			req.pause();
			settle(() => reject(apiError('PAYLOAD_TOO_LARGE')));
		};
		const cutOff = (cause?: unknown): void => settle(() => reject(endedEarly(cause)));
		const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
		const onClose = (): void => cutOff();
		const onError = (error: Error): void => cutOff(error);
		req.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onError);
	});
}

function endedEarly(cause?: unknown): ApiError {
	return apiError('MALFORMED_REQUEST', { message: 'The body ended early.', cause });
}
