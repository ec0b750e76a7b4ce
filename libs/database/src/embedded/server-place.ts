import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, realpath, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { clusterIn } from './cluster.ts';
import { copyBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { runProgram } from './run-program.ts';
import type { ServerAccount } from './server-account.ts';

/** The directories of the server's data and programs, both accessible to the server's account. */
export interface ServerPlace {
	directory: string;
	binaries: PostgresBinaries;
	/** One sentence for the operator if the data is not in the requested directory. */
	note?: string;
}

/**
 * Parents of the data directory, under a name derived from the requested one, if the account can't enter the requested
 * one.
 */
export const substituteParents = ['/var/lib/paddock', '/var/tmp/paddock'];

/**
 * Creates the directory of the server (mode 0700, owned by the account). A checkout below /root is inaccessible to the
 * account that root must use for PostgreSQL: the data is then stored below one of `parents`, which later starts check
 * as well, and the binaries are copied next to it.
 * @throws Error in one line when no directory is usable.
 */
export async function chooseServerPlace(
	wished: string,
	binaries: PostgresBinaries,
	account: ServerAccount | undefined,
	parents: readonly string[] = substituteParents,
): Promise<ServerPlace> {
	if (!account) {
		await makeOwnDirectory(wished, undefined);
		return { directory: wished, binaries };
	}
	const directory = await chooseDirectory(wished, account, parents);
	const runnable = await succeeds(binaries.postgres, ['--version'], account);
	const place = { directory, binaries: runnable ? binaries : await copyBinaries(binaries, directory) };
	if (directory === wished) return place;
	const note = `the account ${account.name}, which PostgreSQL runs as under root, can't enter ${wished}, so the data is in ${directory}`;
	return { ...place, note };
}

/** The substitute for a directory below one of the parents; stable across starts from the same checkout. */
export function substituteFor(wished: string, parent: string): string {
	return join(parent, hash('sha256', wished).slice(0, 12));
}

async function chooseDirectory(
	wished: string,
	account: ServerAccount,
	parents: readonly string[],
): Promise<string> {
	const used = parents
		.map((parent) => substituteFor(wished, parent))
		.find((path) => existsSync(clusterIn(path)));
	if (used !== undefined) return used;
	await makeOwnDirectory(wished, account);
	if (await canWorkIn(wished, account)) return wished;
	if (existsSync(clusterIn(wished))) {
		throw new Error(`there is a database in ${wished}, but the account ${account.name} can't enter it`);
	}
	await rmdir(wished);
	for (const parent of parents) {
		const substitute = substituteFor(wished, parent);
		if (!(await makeSafeParent(parent))) continue;
		await makeOwnDirectory(substitute, account);
		if (await canWorkIn(substitute, account)) return substitute;
	}
	throw new Error(
		`the account ${account.name} can't enter ${wished}, nor could a place be made in ${parents.join(' or ')}`,
	);
}

async function makeOwnDirectory(path: string, account: ServerAccount | undefined): Promise<void> {
	await mkdir(path, { recursive: true, mode: 0o700 });
	await chmod(path, 0o700);
	if (account) await chown(path, account.uid, account.gid);
}

/** False when it can't be created, or when another account could write to it. */
async function makeSafeParent(path: string): Promise<boolean> {
	try {
		await mkdir(path, { mode: 0o711 });
		await chmod(path, 0o711);
	} catch (error) {
		if (errorCode(error) !== 'EEXIST') return false;
	}
	const stats = await lstat(path);
	return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}

/** Tested by running a command as that account, because modes alone are not sufficient (ACLs, mounts, parents). */
async function canWorkIn(directory: string, account: ServerAccount): Promise<boolean> {
	return await succeeds('/bin/sh', ['-c', 'cd "$1" && [ -w . ]', 'probe', directory], account);
}

async function succeeds(command: string, args: string[], account: ServerAccount): Promise<boolean> {
	try {
		await runProgram(command, args, { account });
		return true;
	} catch {
		return false;
	}
}

/** The directory's canonical path, so that one directory with two names is recognised. Its parent is created. */
export async function canonicalPath(path: string): Promise<string> {
	const parent = dirname(path);
	await mkdir(parent, { recursive: true });
	return join(await realpath(parent), path.slice(parent.length + 1));
}
