import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { hasBody } from '@paddock/service';

/**
 * The client's body behind its limit; undefined where there is none. Past `bytesMax` nothing more comes through and
 * `tooLarge` is called once: a length that was announced has been checked before, this is for chunks.
 */
export function limitedBody(
	req: IncomingMessage,
	bytesMax: number,
	tooLarge: () => void,
): Readable | undefined {
	if (!hasBody(req)) return undefined;
	// Node's parser holds the body to the length that was announced.
	if (req.headers['content-length'] !== undefined) return req;
	let bytes = 0;
	const limited = new Transform({
		transform(chunk: Buffer, _encoding, callback): void {
			const before = bytes;
			bytes += chunk.length;
			if (bytes <= bytesMax) {
				callback(null, chunk);
				return;
			}
			if (before <= bytesMax) tooLarge();
			callback();
		},
	});
	return req.pipe(limited);
}
