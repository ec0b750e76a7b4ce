import { resolve } from 'node:path';
import { DirectoryLockedError } from '@paddock/database/embedded';
import type { StartConfig } from './config.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { type DatabaseUrls, databasesOfRunning } from './database-urls.ts';
import { openDatabases } from './open-databases.ts';
import { StartError } from './start-error.ts';

/**
 * The databases of the system with this DATA_DIR: those of the running start, otherwise those of POSTGRES_URL or of the
 * embedded server, which runs up to `close`.
 * @throws StartError if they cannot be reached; the signal's reason if it is aborted.
 */
export async function reachDatabases(
	config: StartConfig,
	report: (line: string) => void,
	signal: AbortSignal,
) {
	const data = await openUnlessRunning(config, report);
	if (data === undefined) return { urls: await ofRunning(config), close: async () => {} };
	try {
		const { urls, server } = await openDatabases(config, data, report, signal);
		return {
			urls,
			/** Stops the server if this call started it. */
			close: async () => {
				await server?.stop();
				await data.release();
			},
		};
	} catch (error) {
		await data.release();
		throw error;
	}
}

/** Undefined if a running start has locked the directory. */
async function openUnlessRunning(
	config: StartConfig,
	report: (line: string) => void,
): Promise<DataDirectory | undefined> {
	try {
		return await openDataDirectory(config.dataDir, report);
	} catch (error) {
		if (error instanceof StartError && error.cause instanceof DirectoryLockedError) return undefined;
		throw error;
	}
}

async function ofRunning(config: StartConfig): Promise<DatabaseUrls> {
	try {
		return await databasesOfRunning(resolve(config.dataDir));
	} catch (cause) {
		throw new StartError(
			`the system with DATA_DIR ${config.dataDir} is still starting: try again when it is up`,
			{ cause },
		);
	}
}
