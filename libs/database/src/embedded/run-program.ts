import { spawn } from 'node:child_process';

interface ProgramOptions {
	cwd?: string;
	account?: { uid: number; gid: number } | undefined;
	timeoutMs?: number;
}

/**
 * Runs a program to its end and resolves with its stdout.
 * @throws Error with the last lines of its stderr when it fails, can't be started, or exceeds the time-out.
 */
export async function runProgram(
	command: string,
	args: readonly string[],
	options: ProgramOptions = {},
): Promise<string> {
	const { cwd = '/', account, timeoutMs = 60_000 } = options;
	const child = spawn(command, args, {
		cwd,
		stdio: ['ignore', 'pipe', 'pipe'],
		...(account ? { uid: account.uid, gid: account.gid } : {}),
	});
	// spawn's own `timeout` isn't used: its timer keeps running if the program can't be started.
	const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
	let stdout = '';
	let stderr = '';
	child.stdout.on('data', (chunk: Buffer) => {
		stdout += chunk.toString();
	});
	child.stderr.on('data', (chunk: Buffer) => {
		stderr = (stderr + chunk.toString()).slice(-2_000);
	});
	const { promise: closed, resolve, reject } = Promise.withResolvers<string>();
	child.once('error', (error) => reject(new Error(`${command}: ${error.message}`, { cause: error })));
	child.once('close', (code, signal) => {
		if (code === 0) resolve(stdout);
		else reject(new Error(`${command} ended with ${signal ?? `exit code ${code}`}: ${lastLines(stderr)}`));
	});
	return await closed.finally(() => clearTimeout(timer));
}

function lastLines(text: string): string {
	return text.trim().split('\n').slice(-3).join(' · ');
}
