import type { Logger } from '@paddock/telemetry';
import { asError } from '../routes/response.ts';

/** One step of the shutdown; `run` must settle in bounded time. */
export interface ShutdownStep {
	readonly name: string;
	readonly run: () => unknown;
}

// A terminal's Ctrl-C reaches a process twice if its parent forwards it: via the process group and from the parent.
const sameSignalMs = 1_000;

interface ShutdownOptions {
	readonly logger: Logger;
	readonly steps: readonly ShutdownStep[];
	/** The steps after an uncaught exception; the process exits after `withinMs` even if one has not ended. */
	readonly crash: { readonly steps: readonly ShutdownStep[]; readonly withinMs: number };
}

/**
 * Runs the steps in order on SIGTERM, SIGINT or when the parent process closes the IPC channel, then exits with 0. A second
 * signal exits at once with 1; after an uncaught error it runs the steps of `crash` and exits with 1.
 * https://nodejs.org/api/process.html#warning-using-uncaughtexception-correctly
 */
export function shutDownOnSignal(options: ShutdownOptions): void {
	let startedAt: number | undefined;
	let crashed = false;
	const begin = (cause: string): void => {
		if (startedAt !== undefined) return;
		startedAt = performance.now();
		options.logger.info('shutting down', { cause });
		// A crash during the steps has its own exit.
		void runSteps(options).then((clean) => crashed || process.exit(clean ? 0 : 1));
	};
	const onSignal = (signal: string): void => {
		if (startedAt !== undefined && performance.now() - startedAt >= sameSignalMs) process.exit(1);
		begin(signal);
	};
	const onBug = (kind: string, thrown: unknown): void => {
		options.logger.error(kind, { error: asError(thrown) });
		if (crashed) return;
		crashed = true;
		startedAt ??= performance.now();
		const { steps, withinMs } = options.crash;
		setTimeout(() => process.exit(1), withinMs);
		options.logger.info('shutting down', { cause: kind });
		void runSteps({ logger: options.logger, steps }).then(() => process.exit(1));
	};
	process.on('SIGTERM', onSignal);
	process.on('SIGINT', onSignal);
	process.on('uncaughtException', (error) => onBug('uncaught exception', error));
	process.on('unhandledRejection', (reason) => onBug('unhandled rejection', reason));
	process.on('disconnect', () => begin('parent gone'));
	// The parent may have exited during start-up, before this listener was added. Without an IPC channel `connected` is
	// undefined.
	if (process.connected === false) begin('parent gone');
}

/** @returns false if a step failed */
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
