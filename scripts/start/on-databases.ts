import { readConfig } from './config.ts';
import { type DatabaseUrls, readDatabaseUrls } from './database-urls.ts';
import { reachDatabases } from './reach-databases.ts';
import { explain, StartError } from './start-error.ts';
import { onStopSignal } from './stop-signal.ts';

/**
 * Runs a script on the databases of `npm start`, running or not, and exits: with 1 and one line for failures that the
 * operator can fix, with 1 and a stack for any other error.
 * @param file with the databases if they are not those of `npm start`, see `readDatabaseUrls`
 */
export async function onDatabases(
	work: (urls: DatabaseUrls, signal: AbortSignal) => Promise<void>,
	file?: string,
): Promise<never> {
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
