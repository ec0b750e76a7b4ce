import type { Writable } from 'node:stream';
import type { LineSink } from './access-lines.ts';

export interface BatchedLinesDeps {
	readonly output: Writable;
	/** How long a line waits for others at most. */
	readonly waitMs: number;
	/** So many characters are written at once even before that. */
	readonly batchChars: number;
	/** What may wait while the output takes nothing; further lines are dropped. */
	readonly waitingCharsMax: number;
	/** Told of them when the output takes lines again. */
	readonly onDropped: (lines: number) => void;
}

export interface BatchedLines extends LineSink {
	/** Resolves when all that was written so far is out of this process. */
	flush(): Promise<void>;
	/** What is still waiting, for who must write it in another way because the process ends now. */
	rest(): string;
}

/**
 * Writes lines in batches: a system call for each costs more than making the line. An output that takes nothing, e.g. a
 * log collector that hangs, neither stops requests nor fills the memory.
 */
export function createBatchedLines(deps: BatchedLinesDeps): BatchedLines {
	const { output, onDropped } = deps;
	let waiting = '';
	let dropped = 0;
	let timer: NodeJS.Timeout | undefined;
	const writeOut = (): void => {
		clearTimeout(timer);
		timer = undefined;
		if (waiting === '' || output.writableNeedDrain) return;
		const text = waiting;
		waiting = '';
		output.write(text);
		if (dropped === 0) return;
		const lines = dropped;
		dropped = 0;
		onDropped(lines);
	};
	output.on('drain', writeOut);
	return {
		write: (line) => {
			if (waiting.length >= deps.waitingCharsMax) {
				dropped += 1;
				return;
			}
			waiting += line;
			waiting += '\n';
			if (waiting.length >= deps.batchChars) writeOut();
			else if (timer === undefined) {
				timer = setTimeout(writeOut, deps.waitMs);
				timer.unref();
			}
		},
		flush: () => {
			const text = waiting;
			waiting = '';
			return new Promise((resolve, reject) => {
				output.write(text, (error) => (error ? reject(error) : resolve()));
			});
		},
		rest: () => waiting,
	};
}
