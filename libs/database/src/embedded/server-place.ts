import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, realpath, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { clusterIn } from './cluster.ts';
import { copyBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { runProgram } from './run-program.ts';
import type { ServerAccount } from './server-account.ts';

/** Where the server's data and programs are, both within reach of the account that it runs as. */
export interface ServerPlace {
	directory: string;
	binaries: PostgresBinaries;
	/** One sentence for the operator when the data is not where they asked for it. */
	note?: string;
}

/** Where the data goes, below a name made from the wished directory, when the account can't enter that one. */
export const substituteParents = ['/var/lib/paddock', '/var/tmp/paddock'];

/**
 * Makes the directory of the server (mode 0700, the account's). A checkout below /root is closed to the account that
 * root must run PostgreSQL as: then the data goes to one of `parents`, where it is also looked for the next
 * time, and the binaries are copied next to it.
 * @throws Error in one line when there is no place.
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

/** The substitute for a directory below one of the parents; the same for every start from the same checkout. */
export function substituteFor(wished: string, parent: string): string {
	return join(parent, createHash('sha256').update(wished).digest('hex').slice(0, 12));
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

/** False when it can't be made, or when somebody else could put something of theirs into it. */
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

/** Asked of the system as that account, because modes alone don't tell (ACLs, mounts, parents). */
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

/** The directory as the kernel names it, so that one directory under two names is recognised. Its parent is made. */
export async function canonicalPath(path: string): Promise<string> {
	const parent = dirname(path);
	await mkdir(parent, { recursive: true });
	return join(await realpath(parent), path.slice(parent.length + 1));
}
