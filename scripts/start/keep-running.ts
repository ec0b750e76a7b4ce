import { setTimeout as delay } from 'node:timers/promises';
import { createRestartDelay } from './restart-delay.ts';

/** A started process. */
export interface Running {
	/** Resolves on exit with the reason: `exit code 1`. */
	exited: Promise<string>;
	/** Stops the process; resolves on exit, also if it had already exited. */
	stop(): Promise<void>;
}

export interface KeptRunning {
	/** Stops it without a restart. */
	stop(): Promise<void>;
}

export interface KeepRunningOptions {
	/** Resolves when the process is up; the signal aborts it. `attempt` counts from 1. */
	start: (signal: AbortSignal, attempt: number) => Promise<Running>;
	/** Receives single lines about the process. */
	report: (line: string) => void;
	/** Monotonic milliseconds. */
	now?: () => number;
}

/**
 * Starts a process and restarts it with increasing delays after each unexpected exit.
 * @throws the error of the first `start`, which is not retried.
 */
export async function keepRunning(options: KeepRunningOptions, signal: AbortSignal): Promise<KeptRunning> {
	const { start, report, now = () => performance.now() } = options;
	const stopping = new AbortController();
	const nextDelayMs = createRestartDelay();
	let current = await start(signal, 1);

	const restart = async (attempt: number, reason: string, ranMs: number): Promise<void> => {
		const pauseMs = nextDelayMs(ranMs);
		report(`exited (${reason}); restarting in ${pauseMs / 1000} s`);
		const begunAt = now();
		try {
			await delay(pauseMs, undefined, { signal: stopping.signal });
			current = await start(stopping.signal, attempt);
		} catch (error) {
			if (stopping.signal.aborted) return;
			await restart(attempt + 1, error instanceof Error ? error.message : String(error), now() - begunAt);
		}
	};
	const supervise = async (): Promise<void> => {
		for (let attempt = 2; ; attempt++) {
			const startedAt = now();
			const reason = await current.exited;
			if (stopping.signal.aborted) return;
			await restart(attempt, reason, now() - startedAt);
			if (stopping.signal.aborted) return await current.stop();
		}
	};
	const supervision = supervise();
	return {
		stop: async () => {
			stopping.abort();
			await current.stop();
			await supervision;
		},
	};
}
