import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type BatchedLines, createBatchedLines } from './batched-lines.ts';
import { standardOutput, waitingBytesMax } from './line-output.ts';
import type { Logger } from './logger.ts';

const batchBytes = 65_536;
/** Time-out for writing the last lines. */
const flushWithinMs = 1_000;

/** Writes lines in batches to stdout, the rest at the exit. @param options.waitMs maximum time that a line waits */
export function stdoutLines(options: { logger: Logger; waitMs: number }): BatchedLines {
	const { logger, waitMs } = options;
	const lines = createBatchedLines({
		output: standardOutput(),
		waitMs,
		batchBytes,
		waitingBytesMax,
		onRecovered: () => logger.warn('log lines were dropped'),
	});
	process.on('exit', () => {
		const rest = lines.rest();
		try {
			if (rest.length > 0) writeSync(process.stdout.fd, rest);
		} catch {
			// The output is blocked or fails. An error in this listener would prevent the process from exiting.
		}
	});
	return {
		...lines,
		// Without the time-out, a blocked output would delay the exit forever.
		flush: () => Promise.race([lines.flush(), wait(flushWithinMs)]),
	};
}
