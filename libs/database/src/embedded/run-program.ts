import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface ProgramOptions {
	cwd?: string;
	account?: { uid: number; gid: number } | undefined;
	timeoutMs?: number;
}

const run = promisify(execFile);
const outputBytesMax = 64 * 1_048_576;

/**
 * Runs a program to its end and resolves with its stdout.
 * @throws Error with the last lines of its stderr when it fails, can't be started, or exceeds the time-out.
 */
export async function runProgram(
	command: string,
	args: readonly string[],
	{ cwd = '/', account, timeoutMs = 60_000 }: ProgramOptions = {},
): Promise<string> {
	const identity = account && { uid: account.uid, gid: account.gid };
	try {
		const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: outputBytesMax } as const;
		const program = run(command, args, { cwd, ...identity, ...limits });
		program.child.stdin?.end();
		return (await program).stdout;
	} catch (cause) {
		throw new Error(`${command}: ${reasonOf(cause)}`, { cause });
	}
}

function reasonOf(error: unknown): string {
	const { message, stderr = '', signal } = error as { message: string; stderr?: string; signal?: string };
	const lines = stderr.trim().split('\n').slice(-3).join(' · ');
	return lines || (signal ?? message);
}
