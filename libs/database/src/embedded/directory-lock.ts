import { randomUUID } from 'node:crypto';
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
	/** Only the first call has an effect: later ones could remove the lock of the next holder. */
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
	const mine = `${file}.${randomUUID()}`;
	const self: Holder = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '' };
	await writeFile(mine, JSON.stringify(self), { mode: 0o600 });
	try {
		for (let attempt = 0; attempt < 3; attempt++) {
			if (await linked(mine, file)) return { takenOver: attempt > 0, release: remover(file) };
			const text = await readLock(file);
			const holder = holderOf(text);
			if (holder && (await startOf(holder.pid)) === holder.startedAt) {
				throw new DirectoryLockedError(`${directory} is in use by process ${holder.pid}`);
			}
			if (text !== undefined) await removeDead(directory, name, text);
		}
	} finally {
		await rm(mine, { force: true });
	}
	throw new DirectoryLockedError(`${directory} is being taken by another process`);
}

/**
 * Removes the lock of a killed holder. Only under a lock of its own: another process that has read the same lock would
 * otherwise remove that of the one that took it over.
 */
async function removeDead(directory: string, name: string, text: string): Promise<void> {
	const file = join(directory, name);
	const takeover = await lockDirectory(directory, `${name}.takeover`);
	try {
		if ((await readLock(file)) === text) await rm(file, { force: true });
	} finally {
		await takeover.release();
	}
}

function remover(file: string): () => Promise<void> {
	let removed: Promise<void> | undefined;
	return () => {
		removed ??= rm(file, { force: true });
		return removed;
	};
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

/** Undefined if it has been released in the meantime. */
async function readLock(file: string): Promise<string | undefined> {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return undefined;
		throw error;
	}
}

function holderOf(text = ''): Holder | undefined {
	try {
		return JSON.parse(text);
	} catch {
		return undefined; // Not written by this function, so it has no holder.
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
