import { access, chmod, constants, mkdir, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DirectoryLockedError, lockDirectory } from '@paddock/database/embedded';
import { StartError } from './start-error.ts';

const logBytesMax = 20_000_000;

export interface DataDirectory {
	path: string;
	/** True if the last start with this directory was killed; its processes may still be running. */
	takenOver: boolean;
	/** The path of a process's log. A large log is renamed to `.1` first. */
	logFile(name: string): Promise<string>;
	release(): Promise<void>;
}

/**
 * Creates DATA_DIR if it is missing and locks it for this start.
 * @throws StartError if it is not writable, or locked by another start.
 */
export async function openDataDirectory(setting: string): Promise<DataDirectory> {
	const path = resolve(setting);
	const logs = join(path, 'logs');
	try {
		// Traversable, because under root PostgreSQL runs as another account; the files in it are not readable for
		// others.
		if (await makeDirectory(path)) await chmod(path, 0o711);
		await access(path, constants.W_OK | constants.X_OK);
		if (await makeDirectory(logs)) await chmod(logs, 0o700);
		const lock = await lockDirectory(path, 'start.lock');
		return {
			path,
			takenOver: lock.takenOver,
			logFile: async (name) => {
				const file = join(logs, `${name}.log`);
				await rotate(file);
				return file;
			},
			release: () => lock.release(),
		};
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		const problem =
			error instanceof DirectoryLockedError
				? `${reason}: another start uses this DATA_DIR`
				: `DATA_DIR ${path} can't be used: ${reason}`;
		throw new StartError(problem, { cause: error });
	}
}

/**
 * Creates a directory and its missing parents; false if it exists. Not `recursive`: if the kernel reports ENOENT below an
 * existing directory, as in /proc, Node.js repeats the call forever and can't be stopped.
 */
async function makeDirectory(path: string, mayMakeParent = true): Promise<boolean> {
	try {
		await mkdir(path);
		return true;
	} catch (error) {
		const code = codeOf(error);
		if (code === 'EEXIST') return false;
		if (code !== 'ENOENT' || !mayMakeParent) throw error;
		await makeDirectory(dirname(path));
		return await makeDirectory(path, false);
	}
}

function codeOf(error: unknown): unknown {
	return error instanceof Error && 'code' in error ? error.code : undefined;
}

async function rotate(file: string): Promise<void> {
	const size = await stat(file).then(
		(stats) => stats.size,
		() => 0, // The file doesn't exist yet.
	);
	if (size > logBytesMax) await rename(file, `${file}.1`);
}
