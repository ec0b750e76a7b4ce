import type { Logger } from '@paddock/telemetry';
import { asError } from './answer.ts';

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
	let exitCode = 0;
	const begin = (cause: string): void => {
		if (startedAt !== undefined) return;
		startedAt = performance.now();
		options.logger.info('shutting down', { cause });
		void runSteps(options).then((clean) => process.exit(clean ? exitCode : 1));
	};
	const onSignal = (signal: string): void => {
		if (startedAt !== undefined && performance.now() - startedAt >= sameSignalMs) process.exit(1);
		begin(signal);
	};
	// One on the way out changes the exit code only: cutting the way short would lose the requests in flight.
	const onBug = (kind: string, thrown: unknown): void => {
		options.logger.error(kind, { error: asError(thrown) });
		exitCode = 1;
		begin(kind);
	};
	process.on('SIGTERM', onSignal);
	process.on('SIGINT', onSignal);
	process.on('uncaughtException', (error) => onBug('uncaught exception', error));
	process.on('unhandledRejection', (reason) => onBug('unhandled rejection', reason));
	process.on('disconnect', () => begin('parent gone'));
	// It may have gone while we were starting; that event has passed. Without a parent's channel this is undefined.
	if (process.connected === false) begin('parent gone');
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
