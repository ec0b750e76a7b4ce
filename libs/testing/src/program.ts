import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from './eventually.ts';

/** A program that a test has started. */
export interface Program {
	/** Undefined if it isn't running. */
	readonly pid: number | undefined;
	/** The output so far, including that of earlier starts. */
	output(): string;
	/** Stops the program if it runs, and starts it with the same settings; resolves when it is ready. */
	restart(): Promise<void>;
	/** Sends a signal. After SIGSTOP the kernel still accepts connections, but there are no responses. */
	signal(signal: NodeJS.Signals): void;
	/** SIGKILL; resolves when the process has exited. */
	kill(): Promise<void>;
	/** SIGTERM or another signal, which also reaches a stopped process; resolves with the exit code. Idempotent. */
	stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ProgramOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> {
	readonly command: readonly [program: string, ...words: string[]];
	readonly ready: () => boolean | Promise<boolean>;
	readonly readyMsMax?: number;
	/** Don't wait for readiness at the first start. */
	readonly readyLater?: boolean;
	/** An IPC channel, which makes a process of ours exit with the test process, however that ends. */
	readonly ipc?: boolean;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
	for (const child of running) child.kill('SIGKILL');
});

/** Starts a program and waits until it is ready. @throws Error with its output if it exits before, or isn't ready in time */
export async function startProgram(options: ProgramOptions): Promise<Program> {
	const { command, ready, readyMsMax = 20_000, readyLater = false, ipc = false, ...own } = options;
	const [program, ...words] = command;
	let child: ChildProcess | undefined;
	let output = '';
	const collect = (text: Buffer | Error): void => {
		output += text.toString();
	};
	const start = async (isAwaited = true): Promise<void> => {
		const started = spawn(program, words, {
			...own,
			stdio: ['ignore', 'pipe', 'pipe', ipc ? 'ipc' : 'ignore'],
		});
		child = started;
		running.add(started);
		started.once('exit', () => running.delete(started));
		started.once('error', collect);
		started.stdout?.on('data', collect);
		started.stderr?.on('data', collect);
		if (!isAwaited) return;
		const isReady = async (): Promise<boolean> => {
			if (hasExited(started)) throw new Error(`${program} exited with ${started.exitCode}:\n${output}`);
			return await ready();
		};
		try {
			await eventually(`${command.join(' ')} is ready`, isReady, readyMsMax);
		} catch (error) {
			started.kill('SIGKILL');
			throw error;
		}
	};
	const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
		const stopped = child;
		child = undefined;
		if (stopped === undefined) return null;
		if (!hasExited(stopped)) {
			const exited = once(stopped, 'exit');
			stopped.kill(signal);
			// A process stopped with SIGSTOP handles no other signal.
			stopped.kill('SIGCONT');
			await exited;
		}
		return stopped.exitCode;
	};
	await start(!readyLater);
	return {
		get pid() {
			return child?.pid;
		},
		output: () => output,
		restart: async () => {
			await stop();
			await start();
		},
		signal: (signal) => child?.kill(signal),
		kill: async () => {
			await stop('SIGKILL');
		},
		stop,
	};
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
	return exitCode !== null || signalCode !== null;
}
