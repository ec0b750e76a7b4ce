import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Running } from './keep-running.ts';
import { closeLog, openLog } from './log-files.ts';
import { followLog, type LogFollower } from './log-follower.ts';
import { waitForStart } from './wait-until-ready.ts';

interface NodeProcessOptions {
	name: string;
	/** From the project's root: `services/auth/src/main.ts`. */
	main: string;
	environment: Record<string, string>;
	logFile: string;
	/** Returns 200 when the process is ready. */
	readyUrl: string;
	report: (line: string) => void;
}

const readyWithinMs = 60_000;
// The defaults of DRAIN_MS and SHUTDOWN_TIMEOUT_MS.
const [drainMs, shutdownTimeoutMs] = ['1000', '15000'];
/** For the remaining steps of a shutdown, e.g. closing the database. */
const graceMs = 9_000;
const followEveryMs = 300;

/** They must not outlive this process. */
const children = new Set<ChildProcess>();
process.on('exit', () => {
	for (const child of children) child.kill('SIGKILL');
});

/** Time after SIGTERM in which a process with this environment exits; one that still runs then hangs. */
export function killAfterMs(environment: Readonly<Record<string, string | undefined>>): number {
	const { DRAIN_MS = drainMs, SHUTDOWN_TIMEOUT_MS = shutdownTimeoutMs } = environment;
	return Number(DRAIN_MS) + Number(SHUTDOWN_TIMEOUT_MS) + graceMs;
}

/**
 * Starts the gateway or a service and waits until it is ready, in its own process group, with an IPC channel whose
 * disconnect signals that the start has exited.
 * @throws StartError with the process's output if it exits before it is ready, or is not ready in time (first attempt only)
 */
export async function startNodeProcess(
	options: NodeProcessOptions,
	signal: AbortSignal,
	attempt: number,
): Promise<Running> {
	const output = openLog(options.logFile, options.report);
	// During start and stop, warnings about missing parts are expected; they go to the log only.
	const steady = { is: false };
	const follower = followLog(options.logFile, ({ level, line }) => {
		if (steady.is || level === 'error') options.report(line);
	});
	const child = spawn(process.execPath, [...nodeArguments, options.main], {
		cwd: projectRoot,
		env: nodeEnvironment(options.environment),
		stdio: ['ignore', output, output, 'ipc'],
		detached: true,
	});
	closeLog(output);
	const running = track(child, follower, { steady, killAfterMs: killAfterMs(options.environment) });
	const starting = {
		readyUrl: options.readyUrl,
		withinMs: attempt === 1 ? readyWithinMs : undefined,
		exitedEarly: (reason: string) =>
			`${options.name} did not start: ${(lastOutput(follower) ?? reason).replace(`${options.name}: `, '')}`,
		late: `${options.name} was not ready within ${readyWithinMs / 1000} s; see ${options.logFile}`,
	};
	await waitForStart(running, starting, signal);
	follower.read();
	steady.is = true;
	return running;
}

function track(
	child: ChildProcess,
	follower: LogFollower,
	{ steady, killAfterMs }: { readonly steady: { is: boolean }; readonly killAfterMs: number },
): Running {
	const timer = setInterval(() => follower.read(), followEveryMs);
	const exited = once(child, 'exit').then(
		([code, exitSignal]) => (exitSignal === null ? `exit code ${code}` : `signal ${exitSignal}`),
		(error: unknown) => `could not be started: ${error}`,
	);
	children.add(child);
	const ended = exited.finally(() => {
		children.delete(child);
		clearInterval(timer);
		follower.read();
		follower.close();
	});
	return {
		exited: ended,
		stop: async () => {
			// Not after a last read: that would report processes as missing that were stopped a moment before.
			steady.is = false;
			child.kill('SIGTERM');
			const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
			await ended;
			clearTimeout(timer);
		},
	};
}

/** The output that is not log entries, as one line; a stack trace is reduced to its message. */
function lastOutput(follower: LogFollower): string | undefined {
	const lines = follower.plainLines();
	const start = lines.findIndex((line) => /^\w*Error\b|: /.test(line));
	const words = lines.slice(Math.max(start, 0)).filter((line) => !/^\s+at |^Node\.js v/.test(line));
	return words.length === 0
		? undefined
		: words
				.map((line) => line.trim())
				.join(' ')
				.slice(0, 600);
}

/** The working directory of all processes. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Megabytes of a semi-space: V8's default of 16 is never released in a process that is mostly idle. */
const semiSpaceMb = 4;
export const nodeArguments: readonly string[] = [`--max-semi-space-size=${semiSpaceMb}`];

/** Cache of the code with types stripped: without the type stripper a process is 25 MB smaller and starts faster. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/paddock-compile', import.meta.url));

/** Heaps of glibc for native memory: one for each thread, its default, keeps 30 MB more, and no thread allocates much in it. */
const nativeHeaps = '2';

/** The environment with NODE_COMPILE_CACHE and MALLOC_ARENA_MAX, unless already set. */
export function nodeEnvironment<Environment extends NodeJS.ProcessEnv>(
	environment: Environment,
): Environment & { NODE_COMPILE_CACHE?: string; MALLOC_ARENA_MAX?: string } {
	return { NODE_COMPILE_CACHE: compileCache, MALLOC_ARENA_MAX: nativeHeaps, ...environment };
}
