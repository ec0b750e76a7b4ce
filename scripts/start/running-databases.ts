import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Context name → URL for the context's own role. */
export type DatabaseUrls = ReadonlyMap<string, string>;

/**
 * The file with the database URLs of a running start, for other scripts of this account. Contains passwords: mode 0600.
 */
const fileIn = (dataDirectory: string) => join(dataDirectory, 'databases.json');

/** Writes the file; resolves with the function that removes it. */
export async function publishDatabases(
	dataDirectory: string,
	urls: DatabaseUrls,
): Promise<() => Promise<void>> {
	const file = fileIn(dataDirectory);
	// Removed first: writing into an existing file would keep its mode.
	await rm(file, { force: true });
	await writeFile(file, `${JSON.stringify(Object.fromEntries(urls))}\n`, { mode: 0o600, flag: 'wx' });
	return () => rm(file, { force: true });
}

/** @throws Error if the running start has not yet written the file, or it cannot be read. */
export async function databasesOfRunning(dataDirectory: string): Promise<DatabaseUrls> {
	const content: unknown = JSON.parse(await readFile(fileIn(dataDirectory), 'utf8'));
	const entries = Object.entries(Object(content));
	return new Map(
		entries.map(([name, url]) => {
			if (typeof url !== 'string') throw new Error(`${fileIn(dataDirectory)} is damaged: ${name} has no url`);
			return [name, url];
		}),
	);
}
