import { apiError } from '@paddock/contract';
import type { Step } from '../pipeline.ts';

export interface RequestLimits {
	readonly urlBytesMax: number;
	readonly headerBytesMax: number;
	readonly bodyBytesMax: number;
}

/** Refuses by declared size before anything is read. A body without a length is measured while it is read. */
export function requestLimits(limits: RequestLimits): Step {
	return function requestLimits(req): undefined {
		if ((req.url ?? '').length > limits.urlBytesMax) throw apiError('URI_TOO_LONG');
		if (headerBytes(req.rawHeaders) > limits.headerBytesMax) throw apiError('HEADERS_TOO_LARGE');
		if (Number(req.headers['content-length'] ?? 0) > limits.bodyBytesMax) {
			throw apiError('PAYLOAD_TOO_LARGE', { context: { bytesMax: limits.bodyBytesMax } });
		}
	};
}

/** `name: value\r\n` for each; header text is Latin-1, so a character is a byte. */
function headerBytes(rawHeaders: readonly string[]): number {
	let bytes = 2 * rawHeaders.length;
	for (const text of rawHeaders) bytes += text.length;
	return bytes;
}
