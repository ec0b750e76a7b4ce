import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readSums } from '../../scripts/backup/backup-files.ts';
import { readDatabaseUrls } from '../../scripts/start/database-urls.ts';
import { StartError } from '../../scripts/start/start-error.ts';

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'paddock-files-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('the databases of a file are read by context', async () => {
	const file = join(folder, 'databases.json');
	await writeFile(file, '{ "auth": "postgres://a@host/a", "horses": "postgresql://h@host/h" }');
	expect(Object.fromEntries(await readDatabaseUrls(file))).toEqual({
		auth: 'postgres://a@host/a',
		horses: 'postgresql://h@host/h',
	});
});

// Text that is not JSON was reported as a bug, with the stack of JSON.parse.
test.each(['{ "auth": ', '"postgres://a@host/a"', '{ "auth": "host" }', '{ "auth": 1 }'])(
	'%s is refused as a list of databases, in one line',
	async (content) => {
		const file = join(folder, 'databases.json');
		await writeFile(file, content);
		await expect(readDatabaseUrls(file)).rejects.toThrow(StartError);
		await expect(readDatabaseUrls(file)).rejects.toThrow(file);
	},
);

test.each([undefined, '', '{ "auth": '])(
	'a folder with the list of dumps %j is no backup',
	async (content) => {
		if (content !== undefined) await writeFile(join(folder, 'sha256.json'), content);
		await expect(readSums(folder)).rejects.toThrow(StartError);
		await expect(readSums(folder)).rejects.toThrow(`${folder} is not a complete backup`);
	},
);
