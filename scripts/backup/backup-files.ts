import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readJsonObject } from '../start/database-urls.ts';
import { StartError } from '../start/start-error.ts';

export const dumpFile = (folder: string, context: string) => join(folder, `${context}.dump`);

const sumsFile = (folder: string) => join(folder, 'sha256.json');

async function sha256(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

/** Writes the list of the folder's dumps with their hashes, which makes it a backup. */
export async function writeSums(folder: string, contexts: readonly string[]): Promise<void> {
	const sums = contexts.map(async (context) => [context, await sha256(dumpFile(folder, context))]);
	await writeFile(
		sumsFile(folder),
		`${JSON.stringify(Object.fromEntries(await Promise.all(sums)), null, '\t')}\n`,
	);
}

/** The contexts of a backup. @throws StartError if it is not complete, or a dump has changed since */
export async function readSums(folder: string): Promise<string[]> {
	const sums = Object.entries(
		await readJsonObject(
			sumsFile(folder),
			`${folder} is not a complete backup: ${sumsFile(folder)} can't be read`,
		),
	);
	for (const [context, sum] of sums) {
		const found = await sha256(dumpFile(folder, context)).catch(() => 'missing or unreadable');
		if (found !== sum)
			throw new StartError(`${dumpFile(folder, context)} is damaged: its SHA-256 is ${found}`);
	}
	return sums.map(([context]) => context);
}
