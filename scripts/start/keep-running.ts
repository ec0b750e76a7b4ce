import { setTimeout as delay } from 'node:timers/promises';
import { createRestartDelay } from './restart-delay.ts';

/** A process of ours that is up. */
export interface Running {
	/** Settles when it has ended, with how: `exit code 1`. */
	exited: Promise<string>;
	/** Resolves when it is gone; harmless when it already is. */
	stop(): Promise<void>;
}

export interface KeptRunning {
	/** Ends it for good. */
	stop(): Promise<void>;
}

export interface KeepRunningOptions {
	name: string;
	/** Resolves when it is up. Given up when the signal fires. `attempt` counts from 1. */
	start: (signal: AbortSignal, attempt: number) => Promise<Running>;
	/** Takes one line about it at a time. */
	report: (line: string) => void;
	/** Monotonic milliseconds. */
	now: () => number;
}

/**
 * Starts something and, from then on, starts it again whenever it ends by itself, with growing pauses.
 * @throws what the first `start` throws: what has never worked is not tried again.
 */
export async function keepRunning(options: KeepRunningOptions, signal: AbortSignal): Promise<KeptRunning> {
	const { start, report, now } = options;
	const stopping = new AbortController();
	const pause = createRestartDelay();
	let current = await start(signal, 1);

	const restart = async (attempt: number, reason: string, ranMs: number): Promise<void> => {
		const pauseMs = pause.next(ranMs);
		report(`ended (${reason}); starting it again in ${pauseMs / 1000} s`);
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
