import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { droppedLines } from './dropped-lines.ts';

/** Destination of log lines. It may fail or block, which stops nothing but the lines, and is used again once it recovers. */
export interface LineOutput {
	/** Bytes that the reader of the output has not taken yet. */
	waitingBytes(): number;
	/** Writes whole lines; those that can't be written are counted in `droppedLines`. @param done called once, possibly at once */
	write(lines: Buffer, done?: (failed: boolean) => void): void;
}

/** Maximum number of bytes that wait for the reader of an output, e.g. of a log collector that hangs. */
export const waitingBytesMax = 8_388_608;

const lineEnd = 0x0a;

type OutputStream = Writable & { readonly fd: number };

let standard: LineOutput | undefined;

/** stdout of this process. From the first call on, no failure of stdout or stderr ends the process. */
export function standardOutput(): LineOutput {
	survive();
	standard ??= createLineOutput(process.stdout);
	return standard;
}

/** An output on one of the standard streams. */
export function createLineOutput(stream: OutputStream): LineOutput {
	ignoreErrors(stream);
	return isWrittenDirectly(stream) ? fileOutput(stream.fd) : streamOutput(stream);
}

function survive(): void {
	for (const stream of [process.stdout, process.stderr]) ignoreErrors(stream);
	// By default the kernel ends a process that writes beyond its limit of file sizes (setrlimit(2)); with a listener the
	// write fails with EFBIG.
	if (!process.listeners('SIGXFSZ').includes(nothing)) process.on('SIGXFSZ', nothing);
}

/** Without a listener, `error` would be an uncaught exception. */
function ignoreErrors(stream: Writable): void {
	if (!stream.listeners('error').includes(nothing)) stream.on('error', nothing);
}

function nothing(): void {}

/** Node.js writes to files synchronously; `_type` is its own name for the kind of stdout. */
function isWrittenDirectly(stream: Writable): boolean {
	return Reflect.get(stream, '_type') === 'fs';
}

/** A file. The stream of Node.js would ignore that the last block of a full disk takes the first part of a write only. */
function fileOutput(fd: number): LineOutput {
	// The file ends within a line, which the next one must not continue.
	let torn = false;
	return {
		waitingBytes: () => 0,
		write: (lines, done) => {
			const bytes = torn ? afterLineEnd(lines) : lines;
			let at = 0;
			let failed = false;
			try {
				while (at < bytes.length) at += writeSync(fd, bytes, at);
			} catch (error) {
				failed = true;
				drop(at === 0 ? lines : bytes.subarray(at), error);
			}
			if (at > 0) torn = bytes[at - 1] !== lineEnd;
			done?.(failed);
		},
	};
}

/** A pipe, a socket or a terminal. */
function streamOutput(stream: Writable): LineOutput {
	let failed = false;
	return {
		waitingBytes: () => stream.writableLength,
		write: (lines, done) => {
			// A failed write may have ended within a line.
			const bytes = failed ? afterLineEnd(lines) : lines;
			failed = false;
			stream.write(bytes, (error) => {
				if (error) {
					failed = true;
					drop(lines, error);
				}
				done?.(error != null);
			});
		},
	};
}

function afterLineEnd(lines: Buffer): Buffer {
	return Buffer.concat([Buffer.of(lineEnd), lines]);
}

function drop(lines: Buffer, error: unknown): void {
	const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
	let count = 0;
	for (const byte of lines) if (byte === lineEnd) count += 1;
	droppedLines.add(typeof code === 'string' ? code : 'unknown', count);
}
