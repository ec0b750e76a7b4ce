import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { isDatabaseUnavailable } from './database-errors.ts';
import { clusterIn, ensureCluster, passwordOf, serverArguments, superuser } from './embedded/cluster.ts';
import { lockDirectory } from './embedded/directory-lock.ts';
import { endLeftoverServer, type WarningSink } from './embedded/leftover-server.ts';
import { findBinaries } from './embedded/postgres-binaries.ts';
import { runProgram } from './embedded/run-program.ts';
import { chooseServerAccount, type ServerAccount } from './embedded/server-account.ts';
import {
	canonicalPath,
	chooseServerPlace,
	type ServerPlace,
	substituteFor,
	substituteParents,
} from './embedded/server-place.ts';
import {
	describeExit,
	type ExitStatus,
	spawnTethered,
	type TetheredProcess,
} from './embedded/tethered-process.ts';
import { closeMaintenanceDatabases, ensureDatabaseAndRole } from './ensure-database.ts';

export { passwordOf } from './embedded/cluster.ts';
export { DirectoryLockedError, lockDirectory } from './embedded/directory-lock.ts';
export { runProgram } from './embedded/run-program.ts';
export { describeExit, spawnTethered } from './embedded/tethered-process.ts';
export { ensureDatabaseAndRole, queryOnce } from './ensure-database.ts';

interface EmbeddedPostgresOptions {
	/** Directory for the data, the passwords and the lock; created if missing. */
	dataDir: string;
	/** On 127.0.0.1. */
	port: number;
	logger: WarningSink;
	/** False for tests: no sync to disk, so a crash of the machine loses data. */
	durable?: boolean;
	/** The server's log file; in `dataDir` by default. */
	logFile?: string;
	/** For tests: removes the data when the server has ended, even if this process was killed before. */
	temporary?: boolean;
}

export interface EmbeddedPostgres {
	superuserUrl: string;
	host: string;
	port: number;
	/** The actual data directory. */
	dataDir: string;
	/** The reason why it differs from the requested directory, in one sentence. */
	note?: string;
	/** Creates a database and the one role that may connect to it, and resolves with the role's URL. */
	ensureDatabase(database: string, role: string): Promise<string>;
	/** Settles when the server has ended, for any reason. */
	exited: Promise<ExitStatus>;
	/** Ends all sessions, flushes data to disk, and resolves when the server has stopped. */
	stop(): Promise<void>;
}

const host = '127.0.0.1';
const readyWithinMs = 60_000;
const readyPollMs = 20;
const killAfterMs = 20_000;

/**
 * Starts the PostgreSQL server bundled with the project: creates its cluster on the first start and waits until it
 * responds. It ends with this process, even if that is killed. Also works as root, see `chooseServerAccount` and
 * `chooseServerPlace`.
 * @throws Error in one line: `dataDir` in use by another process, no binaries, no account, a port in use.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
	const wished = await canonicalPath(options.dataDir);
	const account = await chooseServerAccount(
		[wished, ...substituteParents.map((parent) => substituteFor(wished, parent))].map(clusterIn),
	);
	const place = await chooseServerPlace(wished, await findBinaries(), account);
	if (options.temporary === true && account) await makeRemovable(place, account);
	const lock = await lockDirectory(place.directory);
	try {
		const passwordFile = join(place.directory, 'passwords.json');
		const password = await passwordOf(passwordFile, superuser);
		const superuserUrl = `postgres://${superuser}:${password}@${host}:${options.port}/postgres`;
		const server = await launch(place, account, password, options);
		await ready(server, superuserUrl, logFileOf(place, options));
		await closeMaintenanceDatabases(superuserUrl);
		return {
			superuserUrl,
			host,
			port: options.port,
			dataDir: place.directory,
			...(place.note === undefined ? {} : { note: place.note }),
			ensureDatabase: async (database, role) =>
				await ensureDatabaseAndRole(superuserUrl, {
					database,
					role,
					password: await passwordOf(passwordFile, role),
				}),
			exited: server.exited.finally(() => lock.release()),
			stop: async () => {
				await server.stop(killAfterMs);
				await lock.release();
			},
		};
	} catch (error) {
		await lock.release();
		throw error;
	}
}

/**
 * Copied binaries belong to root, so that the server can't change them. The shell that removes the directory runs as
 * the server's account and must own them.
 */
async function makeRemovable({ directory, binaries }: ServerPlace, account: ServerAccount): Promise<void> {
	if (!binaries.directory.startsWith(`${directory}/`)) return;
	await runProgram('chown', ['-R', `${account.uid}:${account.gid}`, binaries.directory]);
}

async function launch(
	place: ServerPlace,
	account: ServerAccount | undefined,
	superuserPassword: string,
	options: EmbeddedPostgresOptions,
): Promise<TetheredProcess> {
	const { directory, binaries } = place;
	const { durable = true, port } = options;
	const cluster = await ensureCluster({ directory, binaries, account, superuserPassword, durable });
	await endLeftoverServer(cluster, options.logger);
	const output = openSync(logFileOf(place, options), 'a', 0o600);
	const server = spawnTethered(binaries.postgres, serverArguments({ cluster, host, port, durable }), {
		stopSignal: 'INT', // "Fast shutdown": sessions are ended, transactions rolled back.
		cwd: directory,
		env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
		output,
		account,
		removeAfterwards: options.temporary ? directory : undefined,
	});
	closeSync(output);
	return server;
}

function logFileOf(place: ServerPlace, options: EmbeddedPostgresOptions): string {
	return options.logFile ?? join(place.directory, 'server.log');
}

async function ready(server: TetheredProcess, url: string, logFile: string): Promise<void> {
	let ended: ExitStatus | undefined;
	void server.exited.then((status) => {
		ended = status;
	});
	for (const deadline = Date.now() + readyWithinMs; Date.now() < deadline; await delay(readyPollMs)) {
		if (ended) throw new Error(`PostgreSQL did not start (${describeExit(ended)}): ${fatalLine(logFile)}`);
		const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
		client.on('error', () => {}); // connect() rejects with it.
		try {
			await client.connect();
			return await client.end();
		} catch (error) {
			if (!isDatabaseUnavailable(error)) {
				await server.stop(killAfterMs);
				throw error;
			}
		}
	}
	await server.stop(killAfterMs);
	throw new Error(`PostgreSQL was not ready within ${readyWithinMs} ms; see ${logFile}`);
}

/** The server's own error message, from the end of its log. */
function fatalLine(logFile: string): string {
	const lines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-20);
	// The FATAL line that follows "could not bind" doesn't have the reason.
	const bind = lines.slice(-5).findLast((line) => /could not bind/.test(line));
	return (bind ?? lines.findLast((line) => /FATAL|PANIC|could not/.test(line)) ?? lines.at(-1) ?? '').trim();
}
