import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@paddock/database';
import { runProgram } from '@paddock/database/embedded';
import { acceptsClients } from '@paddock/testing';
import { accountOf, installedPrograms } from '../start/installed-postgres.ts';
import { startHostProcess } from './host-process.ts';
import { addressOf, type HostName } from './network.ts';

const port = 5432;
const primaryHost: HostName = 'h3';
const standbyHost: HostName = 'h1';

export interface PostgresPair {
	/** The address of a context's database on both servers. */
	url(context: string): string;
	/** Makes the standby the primary; resolves when it accepts writes. */
	promote(): Promise<void>;
	stop(): Promise<void>;
}

/** A primary on h3 and its synchronous streaming standby on h1, with a database for each context. */
export async function startPostgresPair(contexts: readonly string[]): Promise<PostgresPair> {
	const account = await accountOf('postgres');
	const directory = await mkdtemp(join(tmpdir(), 'paddock-hosts-'));
	await chown(directory, account.uid, account.gid);
	await chmod(directory, 0o700);
	const [primaryData, standbyData] = [join(directory, 'primary'), join(directory, 'standby')];
	const superuserUrl = `postgres://postgres@${addressOf(primaryHost)}:${port}/postgres`;
	const start = (host: HostName, data: string) =>
		startHostProcess({
			host,
			name: `postgres-${host}`,
			account,
			command: [
				...[join(installedPrograms, 'postgres'), '-D', data, '-p', String(port)],
				...['-c', 'unix_socket_directories='],
				...['-c', 'listen_addresses=*', '-c', 'max_connections=200', '-c', 'fsync=off'],
			],
			ready: () => acceptsClients(`postgres://postgres@${addressOf(host)}:${port}/postgres`),
		});
	await runProgram(
		join(installedPrograms, 'initdb'),
		['--pgdata', primaryData, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'],
		{ account },
	);
	await runProgram('sh', [
		'-c',
		`echo 'host all,replication all 10.99.0.0/24 trust' >> ${primaryData}/pg_hba.conf`,
	]);
	const primary = await start(primaryHost, primaryData);
	await createDatabases(superuserUrl, contexts);
	const copy = ['--pgdata', standbyData, '--dbname', superuserUrl, '--write-recovery-conf', '--no-sync'];
	await runProgram(join(installedPrograms, 'pg_basebackup'), [...copy, '--checkpoint=fast'], { account });
	const standby = await start(standbyHost, standbyData);
	// From now on a commit is acknowledged when both have it.
	await withClient(superuserUrl, async (client) => {
		await client.query(`alter system set synchronous_standby_names = '*'`);
		await client.query('select pg_reload_conf()');
	});
	const urlAt = (hosts: string, context: string) =>
		`postgres://paddock_${context}:made@${hosts}/paddock_${context}`;
	const at = (host: HostName) => `${addressOf(host)}:${port}`;
	return {
		url: (context) =>
			`${urlAt(`${at(primaryHost)},${at(standbyHost)}`, context)}?target_session_attrs=read-write`,
		promote: async () => {
			await runProgram(join(installedPrograms, 'pg_ctl'), ['promote', '--wait', '-D', standbyData], {
				account,
			});
		},
		stop: async () => {
			await Promise.all([primary.stop('SIGQUIT'), standby.stop('SIGQUIT')]);
			await rm(directory, { recursive: true, force: true });
		},
	};
}

async function createDatabases(superuserUrl: string, contexts: readonly string[]): Promise<void> {
	await withClient(superuserUrl, async (client) => {
		for (const name of contexts.map((context) => `paddock_${context}`)) {
			await client.query(`create role ${name} login password 'made'`);
			await client.query(`create database ${name} owner ${name}`);
		}
	});
}
