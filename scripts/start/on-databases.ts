import { resolve } from 'node:path';
import { DirectoryLockedError } from '@paddock/database/embedded';
import { standardOutput } from '@paddock/telemetry';
import { readConfig, type StartConfig } from './config.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { type DatabaseUrls, databasesOfRunning, readDatabaseUrls } from './database-urls.ts';
import { openDatabases } from './open-databases.ts';
import { explain, StartError } from './start-error.ts';
import { onStopSignal } from './stop-signal.ts';

/**
 * Runs a script on the databases of `npm start`, running or not, and exits: with 1 and one line for failures that the
 * operator can fix, with 1 and a stack for any other error.
 * @param file with the databases if they are not those of `npm start`, see `readDatabaseUrls`
 */
export async function onDatabases(
	script: string,
	file: string | undefined,
	work: (urls: DatabaseUrls, signal: AbortSignal) => Promise<void>,
): Promise<never> {
	process.title = `paddock ${script}`;
	// A full disk or a closed pipe behind the output stops nothing.
	standardOutput();
	const stopping = new AbortController();
	void onStopSignal(stopping);
	try {
		if (file === undefined) await onOwnDatabases(work, stopping.signal);
		else await work(await listedIn(file), stopping.signal);
		process.exit(0);
	} catch (error) {
		console.error(explain(error));
		process.exit(1);
	}
}

async function listedIn(file: string): Promise<DatabaseUrls> {
	const urls = await readDatabaseUrls(file);
	if (urls.size === 0) throw new StartError(`${file} lists no database`);
	return urls;
}

async function onOwnDatabases(
	work: (urls: DatabaseUrls, signal: AbortSignal) => Promise<void>,
	signal: AbortSignal,
): Promise<void> {
	const databases = await reachDatabases(readConfig(), (line) => console.error(line), signal);
	try {
		await work(databases.urls, signal);
	} finally {
		await databases.close();
	}
}

/**
 * The databases of the system with this DATA_DIR: those of the running start, otherwise those of POSTGRES_URL or of the
 * embedded server, which runs up to `close`.
 * @throws StartError if they cannot be reached; the signal's reason if it is aborted.
 */
async function reachDatabases(config: StartConfig, report: (line: string) => void, signal: AbortSignal) {
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
