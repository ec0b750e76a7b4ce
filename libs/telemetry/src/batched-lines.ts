import type { Writable } from 'node:stream';
import type { LineSink } from './access-lines.ts';

export interface BatchedLinesDeps {
	readonly output: Writable;
	/** How long a line waits for others at most. */
	readonly waitMs: number;
	/** So many may wait for more; before a line that they have no room for they are written at once. */
	readonly batchBytes: number;
	/** What may wait while the output takes nothing; further lines are dropped. */
	readonly waitingBytesMax: number;
	/** Told of them when the output takes lines again. */
	readonly onDropped: (lines: number) => void;
}

export interface BatchedLines extends LineSink {
	/** Resolves when all that was written so far is out of this process. */
	flush(): Promise<void>;
	/** What is still waiting, for who must write it in another way because the process ends now. */
	rest(): Buffer;
}

// A UTF-16 unit is at most three bytes of UTF-8.
const bytesPerUnitMax = 3;
const lineEnd = 0x0a;

/**
 * Writes lines in batches: a system call for each costs more than making the line. An output that takes nothing, e.g. a
 * log collector that hangs, neither stops requests nor fills the memory. Lines wait as bytes: texts put together are
 * thousands of little objects, which the collector would carry about with every collection until they are written.
 */
export function createBatchedLines(deps: BatchedLinesDeps): BatchedLines {
	const { output, batchBytes, onDropped } = deps;
	// What is written out may still be read by the output, so a block is never used twice.
	let block = Buffer.allocUnsafeSlow(batchBytes);
	let begin = 0;
	let end = 0;
	/** Parts of earlier blocks. */
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
