import { readFile } from 'node:fs/promises';
import type { DatabaseUrls } from '../start/running-databases.ts';
import { StartError } from '../start/start-error.ts';

/** Reads `{ "<context>": "<DATABASE_URL>", … }`. @throws StartError if the file is anything else */
export async function givenDatabases(file: string): Promise<DatabaseUrls> {
	const content: unknown = await readFile(file, 'utf8').then(JSON.parse, (cause: unknown) => {
		throw new StartError(`${file} can't be read as JSON`, { cause });
	});
	const urls = Object.entries(Object(content)).map(([context, url]): [string, string] => {
		if (typeof url === 'string' && /^postgres(ql)?:/.test(url)) return [context, url];
		throw new StartError(`${file}: ${context} needs the DATABASE_URL of its service`);
	});
	if (urls.length === 0) throw new StartError(`${file} lists no database`);
	return new Map(urls);
}
