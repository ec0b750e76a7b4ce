import { existsSync } from 'node:fs';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { runProgram } from './run-program.ts';
import type { ServerAccount } from './server-account.ts';

export const superuser = 'postgres';

/** PostgreSQL's data directory within the server's directory. */
export function clusterIn(directory: string): string {
	return join(directory, 'cluster');
}

interface ClusterOptions {
	directory: string;
	binaries: PostgresBinaries;
	account: ServerAccount | undefined;
	superuserPassword: string;
	/** False: nothing is synced to disk. */
	durable: boolean;
}

/**
 * Creates the database cluster if it doesn't exist. It is renamed to its final name only when complete, so an
 * interrupted creation is repeated. Every login requires a password (SCRAM).
 * @throws Error when the cluster was created by another major version, which this one can't read.
 */
export async function ensureCluster(options: ClusterOptions): Promise<string> {
	const { directory, binaries, account } = options;
	const cluster = clusterIn(directory);
	if (existsSync(join(cluster, 'PG_VERSION'))) {
		await checkVersion(cluster, binaries);
		return cluster;
	}
	const partial = join(directory, 'initdb');
	const passwordFile = join(directory, 'initdb-password');
	await rm(partial, { recursive: true, force: true });
	await rm(passwordFile, { force: true });
	await writeFile(passwordFile, `${options.superuserPassword}\n`, { mode: 0o600, flag: 'wx' });
	try {
		if (account) await chown(passwordFile, account.uid, account.gid);
		await runProgram(binaries.initdb, await initdbArguments(partial, passwordFile, options.durable), {
			cwd: directory,
			account,
		});
	} finally {
		await rm(passwordFile, { force: true });
	}
	await rename(partial, cluster);
	return cluster;
}

async function initdbArguments(cluster: string, passwordFile: string, durable: boolean): Promise<string[]> {
	return [
		`--pgdata=${cluster}`,
		`--username=${superuser}`,
		`--pwfile=${passwordFile}`,
		'--auth=scram-sha-256',
		'--encoding=UTF8',
		// The builtin provider sorts by code point on every system, so a new version of the C library can't corrupt
		// indexes.
		'--locale-provider=builtin',
		'--builtin-locale=C.UTF-8',
		'--locale=C',
		`--lc-ctype=${chooseCharacterLocale(await runProgram('locale', ['-a']).catch(() => ''))}`,
		...(durable ? [] : ['--no-sync']),
	];
}

/**
 * The locale for character classification. pg_trgm uses the C library, and in plain `C` an umlaut isn't a letter.
 * `installed` is the output of `locale -a`.
 */
function chooseCharacterLocale(installed: string): string {
	const names = installed.split('\n').map((line) => line.trim());
	const wished = ['C.UTF-8', 'C.utf8', 'en_US.UTF-8', 'en_US.utf8'];
	return wished.find((name) => names.includes(name)) ?? 'C';
}

async function checkVersion(cluster: string, binaries: PostgresBinaries): Promise<void> {
	const found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
	const [expected] = binaries.version.split('.');
	if (found === expected) return;
	throw new Error(
		`${cluster} was made by PostgreSQL ${found}, this is PostgreSQL ${expected}; dump and restore it`,
	);
}
