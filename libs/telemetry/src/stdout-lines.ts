import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type BatchedLines, createBatchedLines } from './batched-lines.ts';
import type { Logger } from './logger.ts';

const batchBytes = 65_536;
const waitingBytesMax = 8_388_608;
/** How long the last lines may take to be written. */
const flushWithinMs = 1_000;

/**
 * Lines in batches on stdout, one of them in each process. What still waits when the process ends without having flushed
 * is written then. @param options.waitMs how long a line waits for others at most
 */
export function stdoutLines(options: { logger: Logger; waitMs: number }): BatchedLines {
	const { logger, waitMs } = options;
	const lines = createBatchedLines({
		output: process.stdout,
		waitMs,
		batchBytes,
		waitingBytesMax,
		onDropped: (count) => logger.warn('access log lines dropped: the output takes nothing', { count }),
	});
	process.on('exit', () => {
		const rest = lines.rest();
		try {
			if (rest.length > 0) writeSync(process.stdout.fd, rest);
		} catch {
			// The output takes nothing. An error in this listener would keep the process from ending.
		}
	});
	return {
		...lines,
		// An output that takes nothing would be waited for without end.
		flush: () => Promise.race([lines.flush(), wait(flushWithinMs)]),
	};
}
