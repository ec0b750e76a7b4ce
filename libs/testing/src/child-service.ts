import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface ChildService {
	readonly url: string;
	readonly port: number;
	/** Undefined while it isn't running. */
	readonly pid: number | undefined;
	/** All that it has written so far, over restarts. */
	output(): string;
	/** Starts it again with the same settings; resolves when it is ready. */
	start(): Promise<void>;
	/** E.g. SIGSTOP, which freezes it, and SIGCONT. */
	signal(signal: NodeJS.Signals): void;
	/** SIGKILL; resolves when the process is gone. */
	kill(): Promise<void>;
	/** SIGTERM; resolves with the exit code. */
	stop(): Promise<number | null>;
}

export interface ChildServiceOptions {
	/** From the project's root, e.g. `services/ping/src/main.ts`. */
	main: string;
	port: number;
	/** Nothing else is inherited but PATH. */
	env: Record<string, string>;
	/** Answers 200 when the process is ready. */
	readyPath: string;
	/** Do not wait for readiness at the first start. */
	readyLater?: boolean;
}

/** As `npm start` has it: each of a run's hundred starts would strip the types of the same files again. */
const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/paddock-compile', import.meta.url));
const readyMsMax = 60_000;

/** A gateway or service as a process of its own, just as a deployment runs it. */
export async function startChildService(options: ChildServiceOptions): Promise<ChildService> {
	const url = `http://127.0.0.1:${options.port}`;
	let child: ChildProcess | undefined;
	let output = '';
	const start = async (wait = true): Promise<void> => {
		const { PATH = '' } = process.env;
		const started = spawn(process.execPath, [options.main], {
			cwd: root,
			env: {
				PATH,
				NODE_COMPILE_CACHE: compileCache,
				NODE_ENV: 'test',
				PORT: String(options.port),
				...options.env,
			},
			// With the channel it ends when the test process does, however that ends.
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		});
		child = started;
		const collect = (chunk: Buffer): void => {
			output += chunk.toString();
		};
		started.stdout?.on('data', collect);
		started.stderr?.on('data', collect);
		if (!wait) return;
		try {
			await eventually(
				`${options.main} is ready`,
				async () => {
					if (started.exitCode !== null)
						throw new Error(`${options.main} ended with ${started.exitCode}:\n${output}`);
					return await answersOk(`${url}${options.readyPath}`);
				},
				readyMsMax,
			);
		} catch (error) {
			started.kill('SIGKILL');
			throw error;
		}
	};
	const end = async (signal: NodeJS.Signals): Promise<number | null> => {
		const running = child;
		child = undefined;
		if (running === undefined || running.exitCode !== null || running.signalCode !== null)
			return running?.exitCode ?? null;
		const exit = once(running, 'exit');
		running.kill(signal);
		// A test may have frozen it with SIGSTOP: it would hear of nothing else.
		running.kill('SIGCONT');
		await exit;
		return running.exitCode;
	};
	await start(options.readyLater !== true);
	return {
		url,
		port: options.port,
		get pid() {
			return child?.pid;
		},
		output: () => output,
		start: () => start(),
		signal: (signal) => child?.kill(signal),
		kill: async () => {
			await end('SIGKILL');
		},
		stop: () => end('SIGTERM'),
	};
}

async function answersOk(url: string): Promise<boolean> {
	try {
		const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
		await answer.arrayBuffer();
		return answer.ok;
	} catch {
		return false; // Not listening yet; the caller's deadline says when that is a failure.
	}
}
