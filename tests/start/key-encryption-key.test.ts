import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keyEncryptionSetting } from '../../scripts/start/key-encryption-key.ts';

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), 'paddock-key-'));
});
afterEach(() => rm(directory, { recursive: true }));

const setting = (environment: Readonly<Record<string, string>> = {}, production = false) =>
	keyEncryptionSetting({ production, environment }, directory);

test('the first start creates a key that only its account can read, and later ones use it', async () => {
	const [made, other] = [await setting(), await setting()];
	const file = made['KEY_ENCRYPTION_KEY_FILE'] ?? '';
	expect(other).toEqual(made);
	const key = await readFile(file, 'utf8');
	expect(key).toMatch(/^[0-9a-f]{64}\n$/);
	expect((await stat(file)).mode & 0o777).toBe(0o600);
	expect(await setting()).toEqual(made);
	expect(await readFile(file, 'utf8')).toBe(key);
	expect(await readdir(directory)).toEqual(['key-encryption-key']);
});

test.each([{ KEY_ENCRYPTION_KEY: 'a' }, { KEY_ENCRYPTION_KEY_FILE: '/run/secrets/key' }])(
	'none is created beside %j',
	async (environment) => {
		expect(await setting(environment)).toEqual({});
		expect(await readdir(directory)).toEqual([]);
	},
);

test('none is created in production: beside the database it would protect nothing', async () => {
	expect(await setting({}, true)).toEqual({});
	expect(await readdir(directory)).toEqual([]);
});
