import type { Logger } from '@paddock/telemetry';

/** Work that comes back: rotation of keys, removal of what is dead. */
export interface Maintenance {
	/** Does all of it once; one task's failure is logged and doesn't keep the others from their turn. */
	run(): Promise<void>;
	/** Does all of it now and then regularly. */
	start(): void;
	/** Ends it, and waits for what is under way. */
	close(): Promise<void>;
}

export interface MaintenanceDeps {
	readonly tasks: Readonly<Record<string, () => Promise<void>>>;
	/** From the end of one run to the beginning of the next. */
	readonly intervalMs: number;
	readonly logger: Logger;
}

export function createMaintenance({ tasks, intervalMs, logger }: MaintenanceDeps): Maintenance {
	let closed = false;
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> = Promise.resolve();

	const run = async (): Promise<void> => {
		for (const [task, work] of Object.entries(tasks)) {
			try {
				await work();
			} catch (error) {
				logger.warn('maintenance failed, it is tried again', { task, error });
			}
		}
	};
	const runAndPlan = async (): Promise<void> => {
		await run();
		if (!closed) timer = setTimeout(begin, intervalMs);
	};
	const begin = (): void => {
		running = runAndPlan();
	};
	return {
		run,
		start: begin,
		close: async () => {
			closed = true;
			clearTimeout(timer);
			await running;
		},
	};
}
