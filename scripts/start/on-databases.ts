import { reachDatabases } from '../demo/reach-databases.ts';
import { readConfig } from './config.ts';
import type { DatabaseUrls } from './running-databases.ts';
import { explain } from './start-error.ts';
import { onStopSignal } from './stop-signal.ts';

/**
 * Runs a script on the databases of `npm start`, running or not, and exits: with 1 and one line for failures that the
 * operator can fix, with 1 and a stack for any other error.
 * @param given the databases if they are not those of `npm start`
 */
export async function onDatabases(
	work: (urls: DatabaseUrls, signal: AbortSignal) => Promise<void>,
	given?: () => Promise<DatabaseUrls>,
): Promise<never> {
	const stopping = new AbortController();
	void onStopSignal(stopping);
	try {
		if (given) await work(await given(), stopping.signal);
		else await onOwnDatabases(work, stopping.signal);
		process.exit(0);
	} catch (error) {
		console.error(explain(error));
		process.exit(1);
	}
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
