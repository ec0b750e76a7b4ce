import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Running } from './keep-running.ts';
import { followLog, type LogFollower } from './log-follower.ts';
import { nodeArguments, nodeEnvironment, projectRoot } from './node-command.ts';
import { StartError } from './start-error.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface NodeProcessOptions {
	name: string;
	/** From the project's root: `services/auth/src/main.ts`. */
	main: string;
	environment: Record<string, string>;
	logFile: string;
	/** Answers 200 when the process can do its work. */
	readyUrl: string;
	report: (line: string) => void;
}

const readyWithinMs = 60_000;
/** The processes take their own time limit for what is in flight; beyond it they hang. */
const killAfterMs = 25_000;
const followEveryMs = 300;

/**
 * Starts one of our services and waits until it is ready. It has a process group of its own, so that a terminal's
 * Ctrl-C doesn't reach it before its turn, and a channel to us whose end tells it that we are gone.
 * @throws StartError with its own words when it ends before it is ready, or isn't ready in time (at the first attempt; later
 * ones have no limit, as a service may have to wait for its database).
 */
export async function startNodeProcess(
	options: NodeProcessOptions,
	signal: AbortSignal,
	attempt: number,
): Promise<Running> {
	const output = openSync(options.logFile, 'a', 0o600);
	// While the parts come and go they miss each other, and say so; that is in the log, but no news.
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
	closeSync(output);
	const running = track(child, follower, steady);
	const given = new AbortController();
	const limit = attempt === 1 ? [AbortSignal.timeout(readyWithinMs)] : [];
	const ready = waitUntilReady(options.readyUrl, AbortSignal.any([signal, given.signal, ...limit]));
	try {
		const early = await Promise.race([ready.then(() => undefined), running.exited]);
		if (early === undefined) {
			follower.read();
			steady.is = true;
			return running;
		}
		throw new StartError(`${options.name} did not start: ${lastWords(follower) ?? early}`);
	} catch (error) {
		await running.stop();
		if (limit[0]?.aborted !== true) throw error;
		throw new StartError(
			`${options.name} was not ready within ${readyWithinMs / 1000} s; see ${options.logFile}`,
		);
	} finally {
		given.abort();
		ready.catch(() => {}); // It lost the race; who won has been dealt with.
	}
}

function track(child: ChildProcess, follower: LogFollower, steady: { is: boolean }): Running {
	const timer = setInterval(() => follower.read(), followEveryMs);
	const exited = once(child, 'exit').then(
		([code, exitSignal]) => (exitSignal === null ? `exit code ${code}` : `signal ${exitSignal}`),
		(error: unknown) => `it could not be started: ${error}`,
	);
	const ended = exited.finally(() => {
		clearInterval(timer);
		follower.read();
		follower.close();
	});
	const killWithUs = () => child.kill('SIGKILL');
	process.once('exit', killWithUs);
	return {
		exited: ended,
		stop: async () => {
			follower.read();
			steady.is = false;
			child.kill('SIGTERM');
			const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
			await ended;
			clearTimeout(timer);
			process.off('exit', killWithUs);
		},
	};
}

/** What it said outside of its log format: one line, a stack trace cut to its message. */
function lastWords(follower: LogFollower): string | undefined {
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
