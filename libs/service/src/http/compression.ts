import { gzipSync } from 'node:zlib';
import type { Response } from 'express';

// Compressing a shorter body costs more time than sending it: it fits into one packet either way.
const compressedFromBytes = 1_024;

/**
 * Whether the response to a GET or HEAD is sent with gzip. Call it before the entity tag is compared: the responses of a
 * resource vary by `Accept-Encoding` even if this one isn't compressed.
 */
export function isCompressible(res: Response, text: string): boolean {
	res.vary('Accept-Encoding');
	if (Buffer.byteLength(text) < compressedFromBytes) return false;
	return res.req.acceptsEncodings('gzip', 'identity') === 'gzip';
}

/** The strong tag of the compressed form differs from that of the plain form, since their bytes differ; a weak one doesn't. */
export function compressedTag(tag: string): string {
	return tag.startsWith('W/') ? tag : `${tag.slice(0, -1)}-gzip"`;
}

/**
 * Compresses a body and sets its header. Synchronous: handing a few kilobytes to a thread costs several times as much
 * processor time, and the threads may be busy with password hashes (docs/decisions/0036-compressed-responses.md).
 */
export function compress(res: Response, text: string): Buffer {
	res.setHeader('Content-Encoding', 'gzip');
	return gzipSync(text);
}
