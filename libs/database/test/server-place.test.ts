import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeUnless } from '@paddock/testing';
import { findBinaries, type PostgresBinaries } from '../src/embedded/postgres-binaries.ts';
import { runProgram } from '../src/embedded/run-program.ts';
import { chooseServerAccount, type ServerAccount } from '../src/embedded/server-account.ts';
import { chooseServerPlace, substituteFor } from '../src/embedded/server-place.ts';
import { makeServerDirectory } from './server-directory.ts';

const isRoot = process.getuid?.() === 0;

describeUnless(
	isRoot ? undefined : 'needs root, the only account that has to choose one',
	'the place of a server',
	() => {
		let directory: Awaited<ReturnType<typeof makeServerDirectory>>;
		let account: ServerAccount;
		let binaries: PostgresBinaries;
		let parents: string[];

		beforeEach(async () => {
			directory = await makeServerDirectory();
			const chosen = await chooseServerAccount([]);
			if (!chosen) throw new Error('root got no account');
			account = chosen;
			binaries = await findBinaries();
			parents = [join(directory.path, 'first'), join(directory.path, 'second')];
		});

		afterEach(() => directory.remove());

		/** A checkout that only root may enter, with its binaries in it. */
		async function closedCheckout(): Promise<{ wished: string; binaries: PostgresBinaries }> {
			const checkout = join(directory.path, 'closed');
			await mkdir(checkout, { mode: 0o700 });
			await symlink(binaries.directory, join(checkout, 'native'));
			const native = join(checkout, 'native');
			return {
				wished: join(checkout, 'postgres'),
				binaries: {
					...binaries,
					directory: native,
					initdb: join(native, 'bin/initdb'),
					postgres: join(native, 'bin/postgres'),
				},
			};
		}

		test('is the wished one where the account can enter it, closed to others', async () => {
			const wished = join(directory.path, 'postgres');
			const place = await chooseServerPlace(wished, binaries, account, parents);
			expect(place.directory).toBe(wished);
			expect(place.note).toBeUndefined();
			const { uid, mode } = await stat(wished);
			expect({ uid, mode: mode & 0o777 }).toEqual({ uid: account.uid, mode: 0o700 });
		});

		test('is a substitute with a copy of the binaries where the checkout is closed, and the note names it', async () => {
			const closed = await closedCheckout();
			const place = await chooseServerPlace(closed.wished, closed.binaries, account, parents);
			const substitute = substituteFor(closed.wished, parents[0] ?? '');
			expect(place.directory).toBe(substitute);
			expect(place.note).toContain(substitute);
			expect(await runProgram(place.binaries.postgres, ['--version'], { account })).toContain(
				'(PostgreSQL) 18',
			);
			expect(existsSync(closed.wished)).toBe(false);
		});

		test('stays the substitute once data is there, though the checkout has been opened', async () => {
			const closed = await closedCheckout();
			const first = await chooseServerPlace(closed.wished, closed.binaries, account, parents);
			await mkdir(join(first.directory, 'cluster'));
			await chmod(join(directory.path, 'closed'), 0o755);
			const second = await chooseServerPlace(closed.wished, closed.binaries, account, parents);
			expect(second.directory).toBe(first.directory);
		});

		test('has the binaries of this version only', async () => {
			const closed = await closedCheckout();
			await chooseServerPlace(closed.wished, { ...closed.binaries, version: '17.1' }, account, parents);
			const place = await chooseServerPlace(closed.wished, closed.binaries, account, parents);
			const copies = (await readdir(place.directory)).filter((name) => name.includes('postgres-'));
			expect(copies).toEqual([`postgres-${binaries.version}`]);
		});

		test('is not a parent that others may write to', async () => {
			const closed = await closedCheckout();
			await mkdir(parents[0] ?? '');
			await chmod(parents[0] ?? '', 0o777);
			const place = await chooseServerPlace(closed.wished, closed.binaries, account, parents);
			expect(place.directory).toBe(substituteFor(closed.wished, parents[1] ?? ''));
		});

		test('is not changed silently when the data lies where the account can no longer go', async () => {
			const closed = await closedCheckout();
			await mkdir(join(closed.wished, 'cluster'), { recursive: true });
			const choice = chooseServerPlace(closed.wished, closed.binaries, account, parents);
			await expect(choice).rejects.toThrow(/there is a database in/);
		});

		test('does not exist when no parent can be had', async () => {
			const closed = await closedCheckout();
			for (const parent of parents) await writeFile(parent, 'no directory');
			await expect(chooseServerPlace(closed.wished, closed.binaries, account, parents)).rejects.toThrow(
				/can't enter/,
			);
		});

		test('is run by the owner of the data that is there', async () => {
			const cluster = join(directory.path, 'cluster');
			await mkdir(cluster);
			await runProgram('chown', ['65534:65534', cluster]);
			expect(await chooseServerAccount([join(directory.path, 'none'), cluster])).toMatchObject({
				uid: 65534,
				gid: 65534,
			});
		});
	},
);
