import { spawn } from 'node:child_process';
import { errorCode } from '../error-code.ts';

/** The exit of a process: its exit code, the signal, or the reason why it could not be started. */
export interface ExitStatus {
	code: number | null;
	signal: NodeJS.Signals | null;
	error?: Error;
}

export interface TetheredProcess {
	/** Settles (never rejects) when the process has ended, for any reason. */
	readonly exited: Promise<ExitStatus>;
	/** Sends the stop signal, and SIGKILL after `killAfterMs`. */
	stop(killAfterMs: number): Promise<ExitStatus>;
}

interface TetherOptions {
	stopSignal: 'INT' | 'TERM';
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** File descriptor for stdout and stderr, or `ignore`; a file, so that the program never blocks on this process. */
	output: number | 'ignore';
	/** Account that runs the program, instead of the current one. */
	account?: { uid: number; gid: number } | undefined;
	/** Directory to remove, with its contents, after the process has ended. */
	removeAfterwards?: string | undefined;
}

/**
 * The shell holds the reading end of a pipe; only this process holds the other end. When this process ends, by any
 * signal, the kernel closes the pipe, `read` returns and the program receives its stop signal. A second Node.js process
 * would do the same with forty times the memory. Asynchronous commands of a shell read /dev/null, hence descriptor 3.
 */
const tether = `
signal=$1 remove=$2
shift 2
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
{ read -r _ <&3; kill -"$signal" "$program"; } 2>/dev/null &
watcher=$!
wait "$program"
status=$?
{ kill "$watcher"; wait "$watcher"; } 2>/dev/null
[ -z "$remove" ] || rm -rf -- "$remove" 2>/dev/null
exit "$status"
`;

/**
 * Starts a program that can't outlive this process: it is stopped when this process ends, even by SIGKILL. It runs in
 * its own process group, so that a terminal's Ctrl-C reaches only this process, which decides the order of stopping.
 */
export function spawnTethered(
	command: string,
	args: readonly string[],
	options: TetherOptions,
): TetheredProcess {
	const { stopSignal, removeAfterwards = '', account } = options;
	const shell = spawn('/bin/sh', ['-c', tether, 'tether', stopSignal, removeAfterwards, command, ...args], {
		cwd: options.cwd,
		env: options.env,
		stdio: ['pipe', options.output, options.output] as const,
		detached: true,
		...(account ? { uid: account.uid, gid: account.gid } : {}),
	});
	const leash = shell.stdin;
	const { promise: exited, resolve } = Promise.withResolvers<ExitStatus>();
	shell.once('error', (error) => resolve({ code: null, signal: null, error }));
	shell.once('exit', (code, signal) => {
		// If the shell alone is killed, the watcher still controls the program; closing the pipe triggers it.
		leash?.destroy();
		resolve({ code, signal });
	});
	leash?.on('error', () => {}); // EPIPE: it ended first, which 'exit' reports.
	const stop = async (killAfterMs: number) => {
		leash?.end();
		const timer = setTimeout(() => killGroup(shell.pid), killAfterMs);
		try {
			return await exited;
		} finally {
			clearTimeout(timer);
		}
	};
	return { exited, stop };
}

/** "exit code 1", "signal SIGKILL", or the reason why the process could not be started. */
export function describeExit(status: ExitStatus): string {
	if (status.error) return status.error.message;
	return status.signal === null ? `exit code ${status.code}` : `signal ${status.signal}`;
}

function killGroup(pid: number | undefined): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		// ESRCH: the group has already ended.
		if (errorCode(error) !== 'ESRCH') throw error;
	}
}
