import { spawn } from 'node:child_process';
import { errorCode } from '../error-code.ts';

/** How a process ended: its exit code, or the signal, or why it could not be started at all. */
export interface ExitStatus {
	code: number | null;
	signal: NodeJS.Signals | null;
	error?: Error;
}

export interface TetheredProcess {
	/** Settles (never rejects) when the process is gone, however that came about. */
	readonly exited: Promise<ExitStatus>;
	/** Sends the stop signal, and SIGKILL after `killAfterMs`. */
	stop(killAfterMs: number): Promise<ExitStatus>;
}

export interface TetherOptions {
	stopSignal: 'INT' | 'TERM';
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** File descriptor that takes stdout and stderr; a file, so that nothing blocks on us. */
	output: number;
	/** Run as this account instead of our own. */
	account?: { uid: number; gid: number } | undefined;
	/** Removed, with all that is in it, after the process has ended. */
	removeAfterwards?: string | undefined;
}

/**
 * The shell keeps the reading end of a pipe whose other end only we hold. When we end, by whatever signal, the kernel
 * closes the pipe, `read` returns and the program gets its stop signal. A second Node.js process would do the
 * same with forty times the memory. Asynchronous commands of a shell read /dev/null, hence descriptor 3.
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
 * Starts a program that can't outlive us: it is stopped when this process ends, even by SIGKILL. It runs in
 * a process group of its own, so that a terminal's Ctrl-C reaches only us and we decide the order of stopping.
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
		// Were the shell alone killed, the watcher still holds the program; closing the pipe makes it act.
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

/** "exit code 1", "signal SIGKILL", or the reason why there was no process. */
export function describeExit(status: ExitStatus): string {
	if (status.error) return status.error.message;
	return status.signal === null ? `exit code ${status.code}` : `signal ${status.signal}`;
}

function killGroup(pid: number | undefined): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		// ESRCH: the group ended meanwhile.
		if (errorCode(error) !== 'ESRCH') throw error;
	}
}
