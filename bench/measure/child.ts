import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { descendantsOf } from '../../libs/testing/src/process-tree.ts';
import { acceptsConnections, respondsOk } from '../../libs/testing/src/readiness.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
// A Java program on a machine in use takes long.
const readyWithinMsDefault = 90_000;
const stopWithinMs = 5_000;

/** A child process of a measurement. */
export interface Child {
	readonly pid: number;
	/** Stops the process and its descendants with SIGSTOP, or continues them: an idle process takes CPU time from the measured one. */
	setPaused(isPaused: boolean): void;
	stop(): Promise<void>;
}

interface ChildOptions {
	readonly command: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	/** The process is ready when the port accepts connections and `readyPath`, if given, returns 200. */
	readonly port: number;
	readonly readyPath?: string;
	readonly readyWithinMs?: number;
}

/** Starts a process and waits until it is ready. Its output is read and discarded, as by a log collector. */
export async function startChild(options: ChildOptions): Promise<Child> {
	const { command, env = {}, port, readyPath, readyWithinMs = readyWithinMsDefault } = options;
	const [program = '', ...args] = command;
	const child = spawn(program, args, {
		cwd: root,
		env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let errors = '';
	child.stdout.resume();
	child.stderr.on('data', (chunk) => {
		errors = `${errors}${String(chunk)}`.slice(-2_000);
	});
	const deadline = performance.now() + readyWithinMs;
	const isReady = () =>
		readyPath === undefined ? acceptsConnections(port) : respondsOk(`http://127.0.0.1:${port}${readyPath}`);
	while (!(await isReady())) {
		if (child.exitCode !== null || performance.now() > deadline) {
			child.kill('SIGKILL');
			throw new Error(`${command.join(' ')} did not become ready:\n${errors}`);
		}
		await delay(50);
	}
	const { pid = 0 } = child;
	return {
		pid,
		setPaused: (isPaused) => signalAll(pid, isPaused ? 'SIGSTOP' : 'SIGCONT'),
		stop: () => stop(child),
	};
}

/** Signals a process and its descendants. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
	for (const each of [pid, ...descendantsOf(pid)]) {
		try {
			process.kill(each, signal);
		} catch (error) {
			// It may have ended.
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
		}
	}
}

async function stop(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = once(child, 'exit');
	// A stopped process doesn't handle SIGTERM.
	if (child.pid !== undefined) signalAll(child.pid, 'SIGCONT');
	child.kill('SIGTERM');
	const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
	await exited;
	clearTimeout(timer);
}
