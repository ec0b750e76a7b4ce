import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DirectoryLockedError, lockDirectory } from './directory-lock.ts';

let directory: string;

beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), 'paddock-lock-'));
});

afterEach(() => rm(directory, { recursive: true }));

test('a directory is locked once, and is free after the release', async () => {
	const lock = await lockDirectory(directory);
	expect(lock.takenOver).toBe(false);
	await expect(lockDirectory(directory)).rejects.toThrow(`${directory} is in use by process ${process.pid}`);
	await lock.release();
	expect(await readdir(directory)).toEqual([]);
	await (await lockDirectory(directory)).release();
});

test('one of several simultaneous callers gets it', async () => {
	const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
	expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
});

test('the lock of a killed process is replaced', async () => {
	const program = `
		const { lockDirectory } = await import(${JSON.stringify(join(import.meta.dirname, 'directory-lock.ts'))});
		await lockDirectory(${JSON.stringify(directory)});
		console.log('locked');
		setInterval(() => {}, 1000);`;
	const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	await once(holder.stdout, 'data');
	await expect(lockDirectory(directory)).rejects.toThrow(DirectoryLockedError);
	const gone = once(holder, 'exit');
	holder.kill('SIGKILL');
	await gone;
	expect((await lockDirectory(directory)).takenOver).toBe(true);
});

// Each removed the lock that it had read, or the lock of the caller that had just replaced it.
test('one of several simultaneous callers replaces the lock of a killed process', async () => {
	for (let round = 0; round < 20; round += 1) {
		await writeFile(
			join(directory, 'lock'),
			JSON.stringify({ pid: process.pid, startedAt: 'another boot 1' }),
		);
		const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
		const locks = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
		expect(locks).toHaveLength(1);
		await locks[0]?.release();
		expect(await readdir(directory)).toEqual([]);
	}
});

test('a second release does not remove the lock of the next holder', async () => {
	const former = await lockDirectory(directory);
	await former.release();
	const lock = await lockDirectory(directory);
	await former.release();
	await expect(lockDirectory(directory)).rejects.toThrow(DirectoryLockedError);
	await lock.release();
});

test('a running process with the pid of the former holder, or a damaged file, does not hold the lock', async () => {
	for (const content of [JSON.stringify({ pid: process.pid, startedAt: 'another boot 1' }), 'half a li']) {
		await writeFile(join(directory, 'lock'), content);
		await (await lockDirectory(directory)).release();
	}
});
