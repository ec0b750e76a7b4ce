import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientProgram } from '../../scripts/backup/client-program.ts';

const { PATH = '' } = process.env;
let folder: string;

/** In place of PostgreSQL's program, one that prints its address and password. */
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'paddock-programs-'));
	const program = join(folder, 'pg_dump');
	await writeFile(program, '#!/bin/sh\necho "$1 $PGPASSWORD"\n');
	await chmod(program, 0o755);
	Object.assign(process.env, { PATH: `${folder}${delimiter}${PATH}`, PGPASSWORD: 'of the environment' });
});

afterAll(async () => {
	process.env['PATH'] = PATH;
	delete process.env['PGPASSWORD'];
	await rm(folder, { recursive: true });
});

const dump = (url: string) => clientProgram('pg_dump', url, [], new AbortController().signal);

test('the password of an address is in the environment, not in the arguments', async () => {
	expect(await dump('postgres://role:of%20it@a,b/database')).toBe(
		'--dbname=postgres://role@a,b/database of it\n',
	);
});

// It was replaced by an empty one, and the server refused the connection.
test('an address without a password leaves that of the environment', async () => {
	const url = 'postgres://role@host/database';
	expect(await dump(url)).toBe(`--dbname=${url} of the environment\n`);
});
