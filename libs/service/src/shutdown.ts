import type { Logger } from '@paddock/telemetry';

/** One step on the way out; `run` must come back in bounded time. */
export interface ShutdownStep {
	readonly name: string;
	readonly run: () => Promise<void> | void;
}

// A terminal's Ctrl-C reaches a process twice when its parent forwards it: as one of the group, and from the parent.
const sameSignalMs = 1_000;

/**
 * Runs the steps in order on SIGTERM, SIGINT or when the parent process that holds our IPC channel is gone, then
 * exits with 0. A second signal exits at once with 1. An exception that nobody caught runs the steps, too, and
 * exits with 1: the state of the process is unknown, but what is in flight gets its answer.
 */
export function shutDownOnSignal(options: { logger: Logger; steps: readonly ShutdownStep[] }): void {
	let startedAt: number | undefined;
	const begin = (cause: string, exitCode: number): void => {
		if (startedAt !== undefined) {
			if (performance.now() - startedAt < sameSignalMs) return;
			process.exit(1);
		}
		startedAt = performance.now();
		options.logger.info('shutting down', { cause });
		void runSteps(options).then((clean) => process.exit(clean ? exitCode : 1));
	};
	process.on('SIGTERM', () => begin('SIGTERM', 0));
	process.on('SIGINT', () => begin('SIGINT', 0));
	process.on('disconnect', () => begin('parent gone', 0));
	process.on('uncaughtException', (error) => {
		options.logger.error('uncaught exception', { error });
		begin('uncaught exception', 1);
	});
	process.on('unhandledRejection', (reason) => {
		options.logger.error('unhandled rejection', {
			error: reason instanceof Error ? reason : new Error(String(reason)),
		});
		begin('unhandled rejection', 1);
	});
}

async function runSteps(options: { logger: Logger; steps: readonly ShutdownStep[] }): Promise<boolean> {
	let clean = true;
	for (const step of options.steps) {
		try {
			await step.run();
		} catch (error) {
			clean = false;
			options.logger.error('a shutdown step failed', { step: step.name, error });
		}
	}
	options.logger.info('stopped');
	return clean;
}
