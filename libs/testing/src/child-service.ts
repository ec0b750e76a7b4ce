import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.ts';
import { eventually } from './eventually.ts';
import type { TestCertificate } from './test-authority.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface ChildService {
	readonly url: string;
	readonly port: number;
	/** Undefined if the process isn't running. */
	readonly pid: number | undefined;
	/** The output so far, including that of earlier starts. */
	output(): string;
	/** Restarts the process with the same settings; resolves when it is ready. */
	start(): Promise<void>;
	/** Sends a signal, e.g. SIGSTOP and SIGCONT. */
	signal(signal: NodeJS.Signals): void;
	/** SIGKILL; resolves when the process has exited. */
	kill(): Promise<void>;
	/** SIGTERM; resolves with the exit code. */
	stop(): Promise<number | null>;
}

export interface ChildServiceOptions {
	/** From the project's root, e.g. `services/ping/src/main.ts`. */
	main: string;
	port: number;
	/** The environment; only PATH is inherited. */
	env: Record<string, string>;
	/** A path that returns 200 when the process is ready. */
	readyPath: string;
	/** The program and the words before `main`; by default the Node.js of the tests. */
	command?: readonly [program: string, ...words: string[]];
	/** Whether the port requires TLS, with the files of TLS_* in `env`. */
	secure?: boolean;
	/** Don't wait for readiness at the first start. */
	readyLater?: boolean;
}

const readyMsMax = 120_000;

/** Starts a gateway or service as a process, as in a deployment. */
export async function startChildService(options: ChildServiceOptions): Promise<ChildService> {
	const { TLS_CERT: cert = '', TLS_KEY: key = '', TLS_CA: ca = '' } = options.env;
	const tls = options.secure === true ? { cert, key, ca } : undefined;
	const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${options.port}`;
	let child: ChildProcess | undefined;
	let output = '';
	const [program, ...words] = options.command ?? [process.execPath];
	const start = async (wait = true): Promise<void> => {
		const { PATH = '' } = process.env;
		const started = spawn(program, [...words, options.main], {
			cwd: root,
			env: {
				PATH,
				...compileCache,
				NODE_ENV: 'test',
				PORT: String(options.port),
				...options.env,
			},
			// The IPC channel makes the child exit with the test process, however that ends.
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
						throw new Error(`${options.main} exited with ${started.exitCode}:\n${output}`);
					return await respondsOk(`${url}${options.readyPath}`, tls);
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
		// A process stopped with SIGSTOP handles no other signal.
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

async function respondsOk(url: string, tls: TestCertificate | undefined): Promise<boolean> {
	if (tls !== undefined) return await respondsOkSecurely(url, tls);
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false; // Not listening yet; the caller has a deadline.
	}
}

function respondsOkSecurely(url: string, { cert, key, ca }: TestCertificate): Promise<boolean> {
	const files = { cert: readFileSync(cert), key: readFileSync(key), ca: readFileSync(ca) };
	return new Promise((resolve) => {
		const request = get(
			url,
			{ ...files, checkServerIdentity: () => undefined, timeout: 1_000 },
			(response) => {
				response.resume();
				resolve(response.statusCode === 200);
			},
		);
		request.once('error', () => resolve(false)).once('timeout', () => request.destroy());
	});
}
