import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCache, eventually, freePort } from '@paddock/testing';

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
	tree(): Promise<number[]>;
	/** Sends the signal. @returns the exit code */
	end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Runs the start script with only `env` and the compile cache in its environment, in this project or in a copy at `cwd`. */
export function startSystem(env: Record<string, string>, cwd = root): StartAttempt {
	const { PORT: port } = env;
	const child = spawn(process.execPath, ['scripts/start.ts'], {
		cwd,
		env: { ...compileCache, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let stdout = '';
	let stderr = '';
	child.stdout.on('data', (chunk: Buffer) => {
		stdout += chunk.toString();
	});
	child.stderr.on('data', (chunk: Buffer) => {
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
		tree: () => descendants(child.pid),
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
	for (const pid of pids) if ((await statOf(pid)) !== undefined) alive.push(pid);
	return alive;
}

/** The parent of a process; undefined if it has exited or is a zombie. */
async function statOf(pid: number): Promise<{ parent: number } | undefined> {
	// The process may have exited since it was listed.
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
	const [state, parent] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
	return state === undefined || state === 'Z' ? undefined : { parent: Number(parent) };
}

async function descendants(root: number | undefined): Promise<number[]> {
	if (root === undefined) return [];
	const parents = new Map<number, number>();
	for (const entry of await readdir('/proc')) {
		if (!/^\d+$/.test(entry)) continue;
		const stat = await statOf(Number(entry));
		if (stat) parents.set(Number(entry), stat.parent);
	}
	const found = [root];
	for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
	return found;
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
