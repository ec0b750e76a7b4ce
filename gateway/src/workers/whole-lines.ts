import { Transform } from 'node:stream';

const lineEnd = 0x0a;

/**
 * Passes on whole lines only: the kernel may split a large write of one process and put those of others between its parts.
 * The part of a line that a killed process has written becomes a line of its own.
 */
export function wholeLines(): Transform {
	let part: Buffer[] = [];
	return new Transform({
		transform: (chunk: Buffer, _encoding, done) => {
			const end = chunk.lastIndexOf(lineEnd) + 1;
			if (end === 0) {
				part.push(chunk);
				done();
				return;
			}
			const lines =
				part.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...part, chunk.subarray(0, end)]);
			part = end === chunk.length ? [] : [chunk.subarray(end)];
			done(null, lines);
		},
		flush: (done) => {
			if (part.length === 0) done();
			else done(null, Buffer.concat([...part, Buffer.from('\n')]));
		},
	});
}
