import { join } from 'node:path';
import {
	describeExit,
	ensureDatabaseAndRole,
	passwordOf,
	startEmbeddedPostgres,
} from '@paddock/database/embedded';
import { databasePortOffset } from '../contexts/contexts.ts';
import type { StartConfig } from './config.ts';
import type { DataDirectory } from './data-directory.ts';
import { type KeptRunning, keepRunning } from './keep-running.ts';
import { StartError } from './start-error.ts';

export interface OpenedDatabases {
	urls: ReadonlyMap<string, string>;
	/** Location of the data, for the banner. */
	description: string;
	/** The reason if the data is not in DATA_DIR. */
	note?: string;
	server?: KeptRunning;
}

/**
 * Creates a database and a role for each context, on the server of POSTGRES_URL or on the embedded one, started here.
 * @throws StartError if the server cannot be used.
 */
export async function openDatabases(
	config: StartConfig,
	data: DataDirectory,
	report: (line: string) => void,
	signal: AbortSignal,
): Promise<OpenedDatabases> {
	if (config.postgresUrl === undefined) return await openEmbedded(config, data, report, signal);
	const adminUrl = config.postgresUrl;
	const { host } = new URL(adminUrl);
	const passwords = join(data.path, 'database-passwords.json');
	try {
		const urls = await openEach(config, async (database, role) =>
			ensureDatabaseAndRole(adminUrl, { database, role, password: await passwordOf(passwords, role) }),
		);
		return { urls, description: `PostgreSQL at ${host} (POSTGRES_URL)` };
	} catch (error) {
		throw new StartError(
			`the PostgreSQL server of POSTGRES_URL (${host}) can't be used: ${messageOf(error)}`,
			{
				cause: error,
			},
		);
	}
}

async function openEmbedded(
	config: StartConfig,
	data: DataDirectory,
	report: (line: string) => void,
	signal: AbortSignal,
): Promise<OpenedDatabases> {
	const logFile = data.logFile('database');
	const port = config.port + databasePortOffset;
	const logger = { warn: (message: string) => report(`database: ${message}`) };
	const start = () => startEmbeddedPostgres({ dataDir: join(data.path, 'postgres'), port, logger, logFile });
	let first: Awaited<ReturnType<typeof start>> | undefined;
	const server = await keepRunning(
		{
			start: async () => {
				const started = await start();
				first ??= started;
				const exited = started.exited.then((exit) => `${describeExit(exit)}, see ${logFile}`);
				return { exited, stop: () => started.stop() };
			},
			report: (line) => report(`database: ${line}`),
		},
		signal,
	).catch((error: unknown) => {
		// The cause first: it is mostly a full disk or the data, seldom the port.
		const itsPort = `its port is ${port} (PORT+${databasePortOffset})`;
		throw new StartError(`the database did not start: ${messageOf(error)}; ${itsPort}`, { cause: error });
	});
	if (!first) throw new Error('the database runs but was never started');
	const { ensureDatabase, dataDir, note } = first;
	try {
		const urls = await openEach(config, ensureDatabase);
		const description = `PostgreSQL on 127.0.0.1:${port}, data in ${dataDir}`;
		return { urls, description, server, ...(note === undefined ? {} : { note }) };
	} catch (error) {
		await server.stop();
		// Mostly a full disk.
		throw new StartError(`the databases in ${dataDir} can't be created: ${messageOf(error)}`, {
			cause: error,
		});
	}
}

async function openEach(
	config: StartConfig,
	ensure: (database: string, role: string) => Promise<string>,
): Promise<Map<string, string>> {
	const urls = new Map<string, string>();
	for (const { name, hasDatabase } of config.contexts) {
		if (hasDatabase) urls.set(name, await ensure(`paddock_${name}`, `paddock_${name}`));
	}
	return urls;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message || error.name : String(error);
}
