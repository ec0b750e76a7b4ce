import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach } from '@jest/globals';
import { compileCache, eventually, freePort } from '@paddock/testing';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const running: ChildProcess[] = [];

export interface Launched {
	readonly child: ChildProcess;
	output(): string;
	errors(): string;
	/** The exit code, or the signal that ended it. */
	readonly ended: Promise<number | string | null>;
}

export interface Started extends Launched {
	readonly url: string;
}

export interface LaunchOptions {
	/** Of Node.js. */
	readonly args?: readonly string[];
	/** Whether there is a channel to this process. */
	readonly ipc?: boolean;
}

/** Kills processes that a test has left running; for a `describe` or a whole file. */
export function killAfterEach(): void {
	afterEach(() => {
		for (const child of running.splice(0)) child.kill('SIGKILL');
	});
}

/** Starts the ping service as a process and does not wait for it. */
export function launch(env: Record<string, string>, more: LaunchOptions = {}): Launched {
	const { PATH = '' } = process.env;
	const child = spawn(process.execPath, [...(more.args ?? []), 'services/ping/src/main.ts'], {
		cwd: root,
		env: { PATH, ...compileCache, NODE_ENV: 'test', DRAIN_MS: '300', ...env },
		stdio: ['ignore', 'pipe', 'pipe', ...(more.ipc === true ? (['ipc'] as const) : [])],
	});
	running.push(child);
	const texts = { output: '', errors: '' };
	child.stdout?.on('data', (chunk: Buffer) => {
		texts.output += chunk.toString();
	});
	child.stderr?.on('data', (chunk: Buffer) => {
		texts.errors += chunk.toString();
	});
	// 'close' is not emitted after the channel was disconnected.
	const drained = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'));
	const ended = Promise.all([once(child, 'exit'), ...drained]).then(([[code, signal]]) => code ?? signal);
	return { child, output: () => texts.output, errors: () => texts.errors, ended };
}

/** Starts the ping service on a free port. */
export async function start(env: Record<string, string> = {}, more: LaunchOptions = {}): Promise<Started> {
	const port = await freePort();
	const started: Started = {
		...launch({ PORT: String(port), ...env }, more),
		url: `http://127.0.0.1:${port}`,
	};
	await eventually('it listens', () => {
		if (started.child.exitCode !== null) throw new Error(`ended early: ${started.errors()}`);
		return started.output().includes('"listening"');
	});
	return started;
}
