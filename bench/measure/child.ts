import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readyWithinMs = 20_000;
const stopWithinMs = 5_000;

/** A process that takes part in a measurement. */
export interface Child {
	readonly pid: number;
	/** Makes it stand still, or go on: what isn't measured takes no time from what is. */
	hold(isHeld: boolean): void;
	stop(): Promise<void>;
}

export interface ChildOptions {
	readonly command: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	/** Ready when connections to it are taken and `readyPath`, where given, answers 200. */
	readonly port: number;
	readonly readyPath?: string;
}

/** Starts a process and waits until it can be asked. What it prints is read and dropped, as a log collector would. */
export async function startChild({ command, env = {}, port, readyPath }: ChildOptions): Promise<Child> {
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
	const until = performance.now() + readyWithinMs;
	while (!(await isReady(port, readyPath))) {
		if (child.exitCode !== null || performance.now() > until) {
			child.kill('SIGKILL');
			throw new Error(`${command.join(' ')} did not get ready:\n${errors}`);
		}
		await delay(50);
	}
	return {
		pid: child.pid ?? 0,
		hold: (isHeld) => void child.kill(isHeld ? 'SIGSTOP' : 'SIGCONT'),
		stop: () => stop(child),
	};
}

async function stop(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = once(child, 'exit');
	// One that is held can't end.
	child.kill('SIGCONT');
	child.kill('SIGTERM');
	const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
	await exited;
	clearTimeout(timer);
}

async function isReady(port: number, path: string | undefined): Promise<boolean> {
	if (path === undefined) return takesConnections(port);
	try {
		const answer = await fetch(`http://127.0.0.1:${port}${path}`);
		await answer.arrayBuffer();
		return answer.ok;
	} catch {
		return false; // Not listening yet; the caller's deadline says when that is a failure.
	}
}

function takesConnections(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		const end = (taken: boolean): void => {
			socket.destroy();
			resolve(taken);
		};
		socket.once('connect', () => end(true));
		socket.once('error', () => end(false));
	});
}
