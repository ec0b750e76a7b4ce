import { type RetryLoop, startRetryLoop } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';

/** Recurring work of a service, such as key rotation and the removal of expired rows. */
export interface Maintenance {
	/** Runs every task once; a failed task is logged and the others still run. */
	run(): Promise<void>;
	start(): void;
	/** Waits for the task in progress; the others of its run are left out. */
	close(): Promise<void>;
}

interface MaintenanceDeps {
	readonly tasks: Readonly<Record<string, () => Promise<unknown>>>;
	/** Interval between the end of one run and the start of the next. */
	readonly intervalMs: number;
	readonly logger: Logger;
}

/** The tasks run one after the other, by their names in the log. */
export function openMaintenance({ tasks, intervalMs, logger }: MaintenanceDeps): Maintenance {
	let loop: RetryLoop | undefined;
	const run = async (closing?: AbortSignal): Promise<void> => {
		const isClosing = () => closing?.aborted === true;
		for (const [task, work] of Object.entries(tasks)) {
			if (isClosing()) return;
			try {
				await work();
			} catch (error) {
				// The stop of the service may have ended the task.
				if (isClosing()) return;
				logger.warn('maintenance task failed', { task, error });
			}
		}
	};
	return {
		run: () => run(),
		start: () => {
			loop ??= startRetryLoop({ step: (closing) => run(closing).then(() => intervalMs) });
		},
		close: async () => loop?.stop(),
	};
}
