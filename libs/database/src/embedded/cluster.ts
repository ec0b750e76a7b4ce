import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
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

/**
 * The password of a database role of this installation: random, generated on first use, stored in `file` (JSON, mode
 * 0600).
 * @throws Error when the file can't be read or written, or has other content.
 */
export async function passwordOf(file: string, role: string): Promise<string> {
	const passwords = await readPasswords(file);
	const known = passwords.get(role);
	if (known !== undefined) return known;
	const made = randomBytes(24).toString('base64url');
	passwords.set(role, made);
	const partial = `${file}.new`;
	await writeFile(partial, `${JSON.stringify(Object.fromEntries(passwords), null, '\t')}\n`, { mode: 0o600 });
	await rename(partial, file);
	return made;
}

async function readPasswords(file: string): Promise<Map<string, string>> {
	let text: string;
	try {
		text = await readFile(file, 'utf8');
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return new Map();
		throw error;
	}
	const entries: [string, unknown][] = Object.entries(JSON.parse(text));
	const passwords = new Map<string, string>();
	for (const [role, password] of entries) {
		if (typeof password !== 'string') throw new Error(`${file} is damaged: ${role} has no password`);
		passwords.set(role, password);
	}
	return passwords;
}

/** The command line of the server. Other settings have PostgreSQL's defaults. */
export function serverArguments(options: {
	cluster: string;
	host: string;
	port: number;
	durable: boolean;
}): string[] {
	const settings: Record<string, string> = {
		listen_addresses: options.host,
		// Every login uses TCP and a password; a socket file would be another entry point.
		unix_socket_directories: '',
		// Six contexts with pools of ten connections each, plus the operator.
		max_connections: '100',
		// The server shares a small machine with eight other processes.
		shared_buffers: '48MB',
		io_method: 'sync',
		jit: 'off',
		timezone: 'UTC',
		log_timezone: 'UTC',
		log_line_prefix: '%m %d ',
		log_checkpoints: 'off',
		...(options.durable
			? {}
			: {
					// Test files that run at once, each with several instances and their pools.
					max_connections: '400',
					fsync: 'off',
					synchronous_commit: 'off',
					full_page_writes: 'off',
					scram_iterations: '1',
				}),
	};
	const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	return ['-D', options.cluster, '-p', String(options.port), ...flags];
}
