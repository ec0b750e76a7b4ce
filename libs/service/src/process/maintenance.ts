import { type RetryLoop, startRetryLoop } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';

/** Recurring work of a service, such as key rotation and the removal of expired rows. */
export interface Maintenance {
	/** Runs every task once; a failed task is logged and the others still run. */
	run(): Promise<void>;
	start(): void;
	/** Stops, and waits for the run in progress. */
	close(): Promise<void>;
}

interface MaintenanceDeps {
	readonly tasks: Readonly<Record<string, () => Promise<void>>>;
	/** Interval between the end of one run and the start of the next. */
	readonly intervalMs: number;
	readonly logger: Logger;
}

/** The tasks run one after the other, by their names in the log. */
export function openMaintenance({ tasks, intervalMs, logger }: MaintenanceDeps): Maintenance {
	let loop: RetryLoop | undefined;
	const run = async (): Promise<void> => {
		for (const [task, work] of Object.entries(tasks)) {
			try {
				await work();
			} catch (error) {
				logger.warn('maintenance task failed', { task, error });
			}
		}
	};
	return {
		run,
		start: () => {
			loop ??= startRetryLoop({ step: () => run().then(() => intervalMs) });
		},
		close: async () => loop?.stop(),
	};
}

/** The task, at most once in the interval; one that fails is repeated by the next run. */
export function atMostEvery(
	intervalMs: number,
	now: () => Date,
	task: () => Promise<unknown>,
): () => Promise<void> {
	let doneAtMs = Number.NEGATIVE_INFINITY;
	return async () => {
		const startedMs = now().getTime();
		if (Math.abs(startedMs - doneAtMs) < intervalMs) return;
		await task();
		doneAtMs = startedMs;
	};
}
