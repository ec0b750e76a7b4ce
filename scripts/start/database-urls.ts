import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

/** Context name → URL for the context's own role. */
export type DatabaseUrls = ReadonlyMap<string, string>;

/** The file with the database URLs of a running start, for other scripts. Contains passwords: mode 0600. */
const fileIn = (dataDirectory: string) => join(dataDirectory, 'databases.json');

/** Writes the file; resolves with the function that removes it. @throws StartError if it can't be written */
export async function publishDatabases(
	dataDirectory: string,
	urls: DatabaseUrls,
): Promise<() => Promise<void>> {
	const file = fileIn(dataDirectory);
	try {
		// Removed first: writing into an existing file would keep its mode.
		await rm(file, { force: true });
		await writeFile(file, `${JSON.stringify(Object.fromEntries(urls))}\n`, { mode: 0o600, flag: 'wx' });
	} catch (cause) {
		throw new StartError(`${file} can't be written: ${cause instanceof Error ? cause.message : cause}`, {
			cause,
		});
	}
	return () => rm(file, { force: true });
}

/** @throws StartError if the running start has not yet written the file, or it cannot be read. */
export function databasesOfRunning(dataDirectory: string): Promise<DatabaseUrls> {
	return readDatabaseUrls(fileIn(dataDirectory));
}

/** Reads `{ "<context>": "<DATABASE_URL>", … }`. @throws StartError if the file is anything else */
export async function readDatabaseUrls(file: string): Promise<DatabaseUrls> {
	const content = await readJsonObject(file, `${file} can't be read as a JSON object`);
	const urls = Object.entries(content).map(([context, url]): [string, string] => {
		if (typeof url === 'string' && /^postgres(ql)?:/.test(url)) return [context, url];
		throw new StartError(`${file}: ${context} needs the DATABASE_URL of its service`);
	});
	return new Map(urls);
}

/** @throws StartError with this message if the file can't be read, or is no JSON object */
export async function readJsonObject(file: string, message: string): Promise<Record<string, unknown>> {
	try {
		const content: unknown = JSON.parse(await readFile(file, 'utf8'));
		if (typeof content === 'object' && content !== null) return { ...content };
		throw new TypeError(`${file} holds no object`);
	} catch (cause) {
		throw new StartError(message, { cause });
	}
}
