import { setTimeout as delay } from 'node:timers/promises';
import { createRestartDelay } from '@paddock/resilience';

export interface Running {
	/** Resolves on exit with the reason: `exit code 1`. */
	exited: Promise<string>;
	/** Stops the process; resolves on exit, also if it had already exited. */
	stop(): Promise<void>;
}

export type KeptRunning = Awaited<ReturnType<typeof keepRunning>>;

export interface KeepRunningOptions {
	/** Resolves when the process is up; the signal aborts it. `attempt` counts from 1. */
	start: (signal: AbortSignal, attempt: number) => Promise<Running>;
	/** Receives single lines about the process. */
	report: (line: string) => void;
	now?: () => number;
}

// Without jitter: the processes of one machine don't wait for the same server.
const restartDelays = { backoffMinMs: 500, backoffMaxMs: 30_000, random: () => 1 };

/** Starts a process, and again with increasing delays after an exit. @throws the error of the first `start` */
export async function keepRunning(options: KeepRunningOptions, signal: AbortSignal) {
	const { start, report, now = () => performance.now() } = options;
	const stopping = new AbortController();
	const nextDelayMs = createRestartDelay(restartDelays);
	let current = await start(signal, 1);

	const supervise = async (): Promise<void> => {
		let startedAt = now();
		let exited = current.exited;
		for (let attempt = 2; ; attempt++) {
			const reason = await exited;
			if (stopping.signal.aborted) return;
			const pauseMs = nextDelayMs(now() - startedAt);
			report(`exited (${reason}); restarting in ${pauseMs / 1000} s`);
			startedAt = now();
			try {
				await delay(pauseMs, undefined, { signal: stopping.signal });
				current = await start(stopping.signal, attempt);
			} catch (error) {
				if (stopping.signal.aborted) return;
				exited = Promise.resolve(error instanceof Error ? error.message : String(error));
				continue;
			}
			if (stopping.signal.aborted) return await current.stop();
			report('running again');
			startedAt = now();
			exited = current.exited;
		}
	};
	const supervision = supervise();
	return {
		/** Stops it without a restart. */
		stop: async (): Promise<void> => {
			stopping.abort();
			await current.stop();
			await supervision;
		},
	};
}
