import type { Logger } from '@paddock/telemetry';
import type { HttpServer } from './http-server.ts';
import { asError } from './response.ts';

/** One step of the shutdown; `run` must settle in bounded time. */
export interface ShutdownStep {
	readonly name: string;
	readonly run: () => Promise<void> | void;
}

// A terminal's Ctrl-C reaches a process twice if its parent forwards it: via the process group and from the parent.
const sameSignalMs = 1_000;

/** The exit after an uncaught exception. */
export interface CrashExit {
	readonly steps: readonly ShutdownStep[];
	/** The process exits after this time even if a step has not ended. */
	readonly withinMs: number;
}

export interface CrashExitDeps {
	/** The setting DRAIN_MS. */
	readonly drainMs: number;
	readonly servers: readonly Pick<HttpServer, 'close'>[];
	readonly deregister: () => Promise<void> | undefined;
	readonly flushAccessLog: () => Promise<void>;
}

// Deregistration and the access log flush need time even if the drain time is 0.
const cleanUpMs = 250;

/** Stops accepting at once; requests in flight have until the end of the drain time, minus the clean-up time. */
export function crashExit(deps: CrashExitDeps): CrashExit {
	const withinMs = Math.max(deps.drainMs, cleanUpMs);
	const closed = () => deps.servers.map((server) => server.close(withinMs - cleanUpMs));
	return {
		withinMs,
		steps: [
			{ name: 'server', run: async () => void (await Promise.all([...closed(), deps.deregister()])) },
			{ name: 'access log', run: deps.flushAccessLog },
		],
	};
}

export interface ShutdownOptions {
	readonly logger: Logger;
	readonly steps: readonly ShutdownStep[];
	readonly crash: CrashExit;
}

/**
 * Runs the steps in order on SIGTERM, SIGINT or when the parent process closes the IPC channel, then exits with 0. A
 * second signal exits at once with 1. After an uncaught exception or an unhandled rejection the state of the process is
 * unknown: it runs the steps of `crash` instead and exits with 1.
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
