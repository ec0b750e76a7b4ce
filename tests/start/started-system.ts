import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCache, descendantsOf, eventually, freePort } from '@paddock/testing';

const root = fileURLToPath(new URL('../../', import.meta.url));
const portsUsed = Array.from({ length: 21 }, (_, offset) => offset);

export interface StartAttempt {
	process: ChildProcess;
	url: string;
	stdout(): string;
	stderr(): string;
	/** Resolves when the banner is printed. @throws Error with the output if the process exits before */
	up(): Promise<void>;
	/** The process and all its descendants. */
	tree(): number[];
	/** Sends the signal. @returns the exit code */
	end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Runs the start script with only `env` and the compile cache in its environment, in this project or in a copy at `cwd`.
 * @param output of both streams, a file descriptor, instead of pipes
 */
export function startSystem(
	env: Record<string, string>,
	{ cwd = root, output = 'pipe' }: { readonly cwd?: string; readonly output?: 'pipe' | number } = {},
): StartAttempt {
	const { PORT: port } = env;
	const child = spawn(process.execPath, ['scripts/start.ts'], {
		cwd,
		env: { ...compileCache, ...env },
		stdio: ['ignore', output, output],
	});
	let stdout = '';
	let stderr = '';
	child.stdout?.on('data', (chunk: Buffer) => {
		stdout += chunk.toString();
	});
	child.stderr?.on('data', (chunk: Buffer) => {
		stderr += chunk.toString();
	});
	return {
		process: child,
		url: `http://127.0.0.1:${port}`,
		stdout: () => stdout,
		stderr: () => stderr,
		up: () =>
			eventually(
				'the system is up',
				() => {
					if (child.exitCode !== null) throw new Error(`npm start exited with ${child.exitCode}: ${stderr}`);
					return stdout.includes('Ctrl-C');
				},
				60_000,
			),
		tree: () => (child.pid === undefined ? [] : [child.pid, ...descendantsOf(child.pid)]),
		end: async (signal) => {
			if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
			const exit = once(child, 'exit');
			child.kill(signal);
			await exit;
			return child.exitCode;
		},
	};
}

/** A PORT for which every port of the system is free. */
export async function freeBasePort(): Promise<number> {
	for (let attempt = 0; attempt < 50; attempt++) {
		const base = await freePort();
		const free = await Promise.all(portsUsed.map((offset) => isFree(base + offset)));
		if (base < 60_000 && free.every(Boolean)) return base;
	}
	throw new Error('no block of free ports');
}

export async function makeDataDir(): Promise<{ path: string; remove(): Promise<void> }> {
	const parent = await mkdtemp(join(tmpdir(), 'paddock-start-'));
	await chmod(parent, 0o755);
	return { path: join(parent, 'data'), remove: () => rm(parent, { recursive: true, force: true }) };
}

/** The PATH without the folders that contain a consul. */
export async function pathWithoutConsul(path: string): Promise<string> {
	const kept: string[] = [];
	for (const folder of path.split(':')) {
		const entries = await readdir(folder).catch((): string[] => []);
		if (!entries.includes('consul')) kept.push(folder);
	}
	return kept.join(':');
}

export async function expectExited(pids: readonly number[], what: string): Promise<void> {
	await eventually(what, async () => (await living(pids)).length === 0, 30_000);
}

export async function living(pids: readonly number[]): Promise<number[]> {
	const alive: number[] = [];
	for (const pid of pids) if (await isAlive(pid)) alive.push(pid);
	return alive;
}

/** A zombie is not. */
async function isAlive(pid: number): Promise<boolean> {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
	const [state = 'Z'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return stat !== '' && state !== 'Z';
}

async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	try {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
		return true;
	} catch {
		return false;
	} finally {
		server.close();
	}
}
