import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { runProgram } from './run-program.ts';

/** Another running process holds the lock. */
export class DirectoryLockedError extends Error {
	override name = 'DirectoryLockedError';
}

interface DirectoryLock {
	/** The last holder was killed; processes that it started may still be stopping. */
	takenOver: boolean;
	release(): Promise<void>;
}

interface Holder {
	pid: number;
	/** The start time of the process, so that a reused pid isn't mistaken for the holder. */
	startedAt: string;
}

/**
 * Locks a directory for this process. The lock is a file that names its holder, so the lock of a killed holder can be
 * taken over.
 * @throws DirectoryLockedError when a running process holds it.
 */
export async function lockDirectory(directory: string, name = 'lock'): Promise<DirectoryLock> {
	const file = join(directory, name);
	const mine = `${file}.${process.pid}`;
	const self: Holder = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '' };
	await writeFile(mine, JSON.stringify(self), { mode: 0o600 });
	try {
		for (let attempt = 0; attempt < 3; attempt++) {
			if (await linked(mine, file))
				return { takenOver: attempt > 0, release: () => rm(file, { force: true }) };
			const holder = await readHolder(file);
			if (holder && (await startOf(holder.pid)) === holder.startedAt) {
				throw new DirectoryLockedError(`${directory} is in use by process ${holder.pid}`);
			}
			await rm(file, { force: true });
		}
	} finally {
		await rm(mine, { force: true });
	}
	throw new DirectoryLockedError(`${directory} is being taken by another process`);
}

/** Linking is atomic and the file is complete from the start, unlike one that is created and then written. */
async function linked(from: string, to: string): Promise<boolean> {
	try {
		await link(from, to);
		return true;
	} catch (error) {
		if (errorCode(error) === 'EEXIST') return false;
		throw error;
	}
}

async function readHolder(file: string): Promise<Holder | undefined> {
	try {
		return JSON.parse(await readFile(file, 'utf8'));
	} catch {
		return undefined; // Removed in the meantime, or not written by us.
	}
}

/** Undefined when there is no such process. */
async function startOf(pid: number): Promise<string | undefined> {
	if (process.platform !== 'linux') {
		const started = await runProgram('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => '');
		return started.trim() || undefined;
	}
	try {
		const [bootId, stat] = await Promise.all([
			readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
			readFile(`/proc/${pid}/stat`, 'utf8'),
		]);
		// Field 22 of proc(5); the second field is a name that may contain blanks, so count after its closing
		// parenthesis.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return fields[0] === 'Z' ? undefined : `${bootId.trim()} ${fields[19]}`;
	} catch {
		return undefined;
	}
}
