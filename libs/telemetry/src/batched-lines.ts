import type { LineSink } from './access-lines.ts';
import { droppedLines } from './dropped-lines.ts';
import type { LineOutput } from './line-output.ts';

interface BatchedLinesDeps {
	readonly output: LineOutput;
	readonly waitMs: number;
	/** Batch size in bytes; a line that doesn't fit causes the batch to be written at once. */
	readonly batchBytes: number;
	/** Maximum number of bytes waiting while the output is blocked; further lines are dropped. */
	readonly waitingBytesMax: number;
	/** Called when the output has taken lines after some were lost. */
	readonly onRecovered: () => void;
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
 * Writes lines in batches, as a system call per line costs more than formatting it. A blocked output neither delays requests
 * nor fills the memory. Lines wait as bytes, so that garbage collection has no strings to copy.
 */
export function createBatchedLines(deps: BatchedLinesDeps): BatchedLines {
	const { output, batchBytes } = deps;
	// The output may still read a written block, so a block is never reused.
	let block = Buffer.allocUnsafeSlow(batchBytes);
	let begin = 0;
	let end = 0;
	/** Slices of earlier blocks. */
	let waiting: Buffer[] = [];
	let waitingBytes = 0;
	let writes = 0;
	/** Lines wait for a time, or for the output to settle its writes. */
	let isDue = false;
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
	const settle = (failed: boolean): void => {
		writes -= 1;
		if (writes > 0) return;
		if (!failed && droppedLines.hasUnreported()) deps.onRecovered();
		if (isDue) writeOut();
	};
	const writeOut = (): void => {
		clearTimeout(timer);
		timer = undefined;
		isDue = writes > 0;
		if (isDue) return;
		const all = takeAll();
		writes = all.length;
		for (const each of all) output.write(each, settle);
	};
	return {
		write: (line) => {
			if (waitingBytes + end - begin >= deps.waitingBytesMax) {
				droppedLines.add('blocked', 1);
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
			return new Promise((resolve) => output.write(all, () => resolve()));
		},
		rest: () => Buffer.concat([...waiting, block.subarray(begin, end)]),
	};
}
