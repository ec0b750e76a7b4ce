import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Context name → url for the context's own role. */
export type DatabaseUrls = ReadonlyMap<string, string>;

/** Where a running start tells other scripts of this account where its databases are. Holds passwords: mode 0600. */
const fileIn = (dataDirectory: string) => join(dataDirectory, 'databases.json');

/** Resolves with how to take it away again. */
export async function tellDatabases(dataDirectory: string, urls: DatabaseUrls): Promise<() => Promise<void>> {
	const file = fileIn(dataDirectory);
	// Anew: writing into a file that is there would keep its mode.
	await rm(file, { force: true });
	await writeFile(file, `${JSON.stringify(Object.fromEntries(urls))}\n`, { mode: 0o600, flag: 'wx' });
	return () => rm(file, { force: true });
}

/** @throws Error when the start that runs hasn't come so far yet, or the file is not ours to read. */
export async function databasesOfRunning(dataDirectory: string): Promise<DatabaseUrls> {
	const told: unknown = JSON.parse(await readFile(fileIn(dataDirectory), 'utf8'));
	const entries = Object.entries(Object(told));
	return new Map(
		entries.map(([name, url]) => {
			if (typeof url !== 'string') throw new Error(`${fileIn(dataDirectory)} is damaged: ${name} has no url`);
			return [name, url];
		}),
	);
}
