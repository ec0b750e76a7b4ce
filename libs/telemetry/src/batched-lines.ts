import type { Writable } from 'node:stream';
import type { LineSink } from './access-lines.ts';
import { droppedLines } from './dropped-lines.ts';

interface BatchedLinesDeps {
	readonly output: Writable;
	/** Maximum time that a line waits for the batch. */
	readonly waitMs: number;
	/** Batch size in bytes; a line that doesn't fit causes the batch to be written at once. */
	readonly batchBytes: number;
	/** Maximum number of bytes waiting while the output is blocked; further lines are dropped. */
	readonly waitingBytesMax: number;
	/** Receives the number of dropped lines when the output accepts lines again. */
	readonly onDropped: (lines: number) => void;
}

export interface BatchedLines extends LineSink {
	/** Resolves when all lines written so far have left this process. */
	flush(): Promise<void>;
	/** The waiting lines, for a caller that must write them synchronously at the exit of the process. */
	rest(): Buffer;
}

// A UTF-16 unit needs at most three bytes of UTF-8.
const bytesPerUnitMax = 3;
const lineEnd = 0x0a;

/**
 * Writes lines in batches: a system call per line costs more than formatting it. A blocked output, e.g. a log collector
 * that hangs, neither delays requests nor fills the memory. Lines wait as bytes: concatenated strings are thousands of
 * small objects, which every garbage collection would copy until they are written.
 */
export function createBatchedLines(deps: BatchedLinesDeps): BatchedLines {
	const { output, batchBytes, onDropped } = deps;
	// The output may still read a written block, so a block is never reused.
	let block = Buffer.allocUnsafeSlow(batchBytes);
	let begin = 0;
	let end = 0;
	/** Slices of earlier blocks. */
	let waiting: Buffer[] = [];
	let waitingBytes = 0;
	let dropped = 0;
	let timer: NodeJS.Timeout | undefined;
	const newBlock = (bytes: number): void => {
		if (end > begin) waiting.push(block.subarray(begin, end));
		waitingBytes += end - begin;
		block = Buffer.allocUnsafeSlow(bytes);
		begin = 0;
		end = 0;
	};
	const takeAll = (): Buffer[] => {
		const all = waiting;
		if (end > begin) all.push(block.subarray(begin, end));
		begin = end;
		waiting = [];
		waitingBytes = 0;
		return all;
	};
	const writeOut = (): void => {
		clearTimeout(timer);
		timer = undefined;
		if (output.writableNeedDrain) return;
		for (const each of takeAll()) output.write(each);
		if (dropped === 0) return;
		const lines = dropped;
		dropped = 0;
		onDropped(lines);
	};
	output.on('drain', writeOut);
	return {
		write: (line) => {
			if (waitingBytes + end - begin >= deps.waitingBytesMax) {
				dropped += 1;
				droppedLines.count += 1;
				return;
			}
			const bytesMax = bytesPerUnitMax * line.length + 1;
			if (bytesMax > block.length - end) {
				writeOut();
				newBlock(Math.max(batchBytes, bytesMax));
			}
			end += block.write(line, end);
			block[end] = lineEnd;
			end += 1;
			if (timer === undefined) {
				timer = setTimeout(writeOut, deps.waitMs);
				timer.unref();
			}
		},
		flush: () => {
			const all = Buffer.concat(takeAll());
			return new Promise((resolve, reject) => {
				output.write(all, (error) => (error ? reject(error) : resolve()));
			});
		},
		rest: () => Buffer.concat([...waiting, block.subarray(begin, end)]),
	};
}
