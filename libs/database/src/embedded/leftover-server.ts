import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../error-code.ts';
import { runProgram } from './run-program.ts';

/** If the starter of a server was killed, its tether stops the server within moments. */
const patienceMs = 5_000;
const stopWithinMs = 10_000;
const pollMs = 50;

/** The only logger method required here, so that `npm start` needs neither a logger nor its dependencies. */
export interface WarningSink {
	warn(message: string, details: object): void;
}

/**
 * Ensures that no server of an earlier start uses the cluster. One that doesn't end by itself is stopped, so the caller
 * must hold the directory's lock (see `lockDirectory`). A `postmaster.pid` whose pid now belongs to another process is
 * removed, because PostgreSQL would refuse to start.
 * @throws Error in one line when the old server can't be stopped.
 */
export async function endLeftoverServer(cluster: string, logger: WarningSink): Promise<void> {
	const pidFile = join(cluster, 'postmaster.pid');
	const pid = await readPid(pidFile);
	if (pid === undefined) return;
	if (await allGone(cluster, pid, patienceMs)) {
		if (isAlive(pid)) await rm(pidFile, { force: true });
		return;
	}
	logger.warn('stopping the PostgreSQL server that an earlier start left behind', { pid });
	process.kill(pid, 'SIGINT');
	if (await allGone(cluster, pid, stopWithinMs)) return;
	throw new Error(`PostgreSQL of an earlier start still runs on ${cluster} (process ${pid}); stop it first`);
}

async function readPid(pidFile: string): Promise<number | undefined> {
	try {
		const pid = Number((await readFile(pidFile, 'utf8')).split('\n', 1)[0]);
		return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return undefined;
		throw error;
	}
}

async function allGone(cluster: string, pid: number, timeoutMs: number): Promise<boolean> {
	for (let waitedMs = 0; ; waitedMs += pollMs) {
		if (!(await isServed(cluster, pid))) return true;
		if (waitedMs >= timeoutMs) return false;
		await delay(pollMs);
	}
}

/** Every process of a server has the cluster as its working directory; without /proc only the first is checked. */
async function isServed(cluster: string, pid: number): Promise<boolean> {
	if (process.platform !== 'linux') {
		try {
			return (await runProgram('ps', ['-o', 'command=', '-p', String(pid)])).includes(cluster);
		} catch (error) {
			// ps fails for a process that has ended. A failure for a running one must not hide the server.
			if (isAlive(pid)) throw error;
			return false;
		}
	}
	for (const entry of await readdir('/proc')) {
		if (!/^\d+$/.test(entry)) continue;
		// The process may end during the check or belong to another account; either way it isn't the server.
		if ((await readlink(`/proc/${entry}/cwd`).catch(() => undefined)) === cluster) return true;
	}
	return false;
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false; // ESRCH, or EPERM: PostgreSQL, too, ignores processes of other accounts.
	}
}
