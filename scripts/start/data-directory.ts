import { access, chmod, constants, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DirectoryLockedError, lockDirectory } from '@paddock/database/embedded';
import { openLogFiles } from './log-files.ts';
import { StartError } from './start-error.ts';

export type DataDirectory = Awaited<ReturnType<typeof openDataDirectory>>;

/** Creates DATA_DIR if missing and locks it. @throws StartError if it is not writable, or locked by another start */
export async function openDataDirectory(setting: string, report: (line: string) => void) {
	const path = resolve(setting);
	const logs = join(path, 'logs');
	try {
		// Traversable, because under root PostgreSQL runs as another account; the files in it are not readable for
		// others.
		if (await makeDirectory(path)) await chmod(path, 0o711);
		await access(path, constants.W_OK | constants.X_OK);
		if (await makeDirectory(logs)) await chmod(logs, 0o700);
		const lock = await lockDirectory(path, 'start.lock');
		const logFiles = openLogFiles(report);
		return {
			path,
			/** True if the last start with this directory was killed; its processes may still be running. */
			takenOver: lock.takenOver,
			/** The path of a process's log. The content of a large log is moved to `.1`, now and while processes write. */
			logFile: (name: string): string => {
				const file = join(logs, `${name}.log`);
				logFiles.add(file);
				return file;
			},
			release: (): Promise<void> => {
				logFiles.close();
				return lock.release();
			},
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

/** False if it exists. Not `recursive`, which never ends if the kernel reports ENOENT below an existing directory, as in /proc. */
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
