import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Network {
	/** Runs a program. @returns its output */
	exec(program: string, ...words: string[]): Promise<string>;
	/** Starts a program; its output is in `NAME.log`. */
	start(name: string, words: readonly string[], env?: Record<string, string>): ChildProcess;
	/** SIGKILL; resolves when the program has exited. */
	end(name: string): Promise<void>;
	/** Ends all programs. */
	close(): Promise<void>;
}

/** A network namespace with the addresses 10.98.0.1 to 10.98.0.9. `directory` is for logs and is the home of the programs. */
export function openNetwork(directory: string, path: string): Network {
	const name = `paddock-${process.pid}`;
	const ip = (...words: string[]) => execFileSync('ip', words);
	const running = new Map<string, ChildProcess>();
	const environment = { PATH: path, HOME: directory, KUBECONFIG: join(directory, 'kubeconfig') };
	const end = async (program: string): Promise<void> => {
		const child = running.get(program);
		if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
		const exit = once(child, 'exit');
		child.kill('SIGKILL');
		await exit;
	};
	ip('netns', 'add', name);
	ip('-n', name, 'link', 'set', 'lo', 'up');
	for (let host = 1; host <= 9; host += 1) ip('-n', name, 'addr', 'add', `10.98.0.${host}/24`, 'dev', 'lo');
	// The API server looks for an address of the default route.
	ip('-n', name, 'route', 'add', 'default', 'dev', 'lo');
	return {
		exec: async (program, ...words) => {
			const options = { env: environment, maxBuffer: 64 * 1024 * 1024 };
			const { stdout, stderr } = await run('ip', ['netns', 'exec', name, program, ...words], options);
			return stdout + stderr;
		},
		start: (program, words, env = {}) => {
			const child = spawn('ip', ['netns', 'exec', name, ...words], {
				env: { ...environment, ...env },
				stdio: ['ignore', 'pipe', 'pipe'],
			});
			const log = createWriteStream(join(directory, `${program}.log`), { flags: 'a' });
			child.stdout.pipe(log, { end: false });
			child.stderr.pipe(log, { end: false });
			running.set(program, child);
			return child;
		},
		end,
		close: async () => {
			await Promise.all([...running.keys()].map(end));
			ip('netns', 'del', name);
		},
	};
}
