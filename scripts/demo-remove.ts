import { contexts } from './contexts/contexts.ts';
import { reachDatabases } from './demo/reach-databases.ts';
import { removeDemo } from './demo/remove-demo.ts';
import { readConfig } from './start/config.ts';
import { StartError } from './start/start-error.ts';
import { onStopSignal } from './start/stop-signal.ts';

// `npm run demo:remove`: removes the demo data, including the accounts with their public password, from the databases
// of `npm start`, running or not. Other records remain; removed demo data is not inserted again.
process.exitCode = await run();
process.exit();

async function run(): Promise<number> {
	const stopping = new AbortController();
	void onStopSignal(stopping);
	try {
		const config = readConfig();
		const databases = await reachDatabases(config, (line) => console.error(line), stopping.signal);
		try {
			await removeFrom(databases.urls, stopping.signal);
		} finally {
			await databases.close();
		}
		return 0;
	} catch (error) {
		console.error(explain(error));
		return 1;
	}
}

async function removeFrom(urls: ReadonlyMap<string, string>, signal: AbortSignal): Promise<void> {
	// In reverse order: records that refer to others are removed before them.
	for (const context of contexts.toReversed()) {
		signal.throwIfAborted();
		const { name, demo } = context;
		const url = urls.get(name);
		if (url === undefined || demo === undefined) continue;
		const { removed, note } = await removeDemo(context, url);
		console.log(`${name}: ${removed} demo ${demo} removed`);
		if (note !== undefined) console.log(`${name}: ${note}`);
	}
}

/** One line for failures that the operator can fix; any other error is a bug and keeps its stack. */
function explain(error: unknown): string {
	if (error instanceof StartError) return error.message.replace(/\s*\n\s*/g, ' ');
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
