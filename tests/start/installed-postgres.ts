import { readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@paddock/database/embedded';
import { acceptsClients, freePort, startProgram } from '@paddock/testing';

const versions = '/usr/lib/postgresql';

/** The folder of the programs of Debian's newest PostgreSQL server, whose clients are those on the PATH. */
export const installedPrograms = (() => {
	try {
		const [newest] = readdirSync(versions).toSorted((one, other) => Number(other) - Number(one));
		return newest === undefined ? '' : join(versions, newest, 'bin');
	} catch {
		return ''; // No PostgreSQL of Debian: the suite is skipped by the name of the missing program.
	}
})();

export interface InstalledPostgres {
	readonly superuserUrl: string;
	readonly port: number;
	/** Makes a standby the primary; resolves when it accepts writes. */
	promote(): Promise<void>;
	/** Ends the server without a shutdown, until `restart`. */
	crash(): Promise<void>;
	restart(): Promise<void>;
	stop(): Promise<void>;
}

/**
 * A server of the machine's own PostgreSQL, which `stop` removes: with an empty cluster, or as the streaming standby of
 * another one.
 */
export async function startInstalledPostgres(primary?: InstalledPostgres): Promise<InstalledPostgres> {
	const directory = await mkdtemp(join(tmpdir(), 'paddock-installed-'));
	// As root, the server runs as Debian's account for it: PostgreSQL refuses to run as root.
	const account = process.getuid?.() === 0 ? await accountOf('postgres') : undefined;
	if (account) {
		await chown(directory, account.uid, account.gid);
		await chmod(directory, 0o700);
	}
	const data = join(directory, 'data');
	await runProgram(...clusterProgram(data, primary), { account });
	const port = await freePort();
	const superuserUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
	const server = await startProgram({
		command: [
			...[join(installedPrograms, 'postgres'), '-D', data, '-p', String(port), '-k', directory],
			...['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'],
		] as [string, ...string[]],
		cwd: '/',
		...account,
		ready: () => acceptsClients(superuserUrl),
	});
	return {
		superuserUrl,
		port,
		promote: async () => {
			await runProgram(join(installedPrograms, 'pg_ctl'), ['promote', '--wait', '-D', data], { account });
		},
		crash: async () => {
			await server.stop('SIGQUIT');
		},
		restart: server.restart,
		stop: async () => {
			await server.stop('SIGINT');
			await rm(directory, { recursive: true, force: true });
		},
	};
}

function clusterProgram(data: string, primary: InstalledPostgres | undefined): [string, string[]] {
	if (primary === undefined) {
		const initdb = ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'];
		return [join(installedPrograms, 'initdb'), initdb];
	}
	const copy = ['--pgdata', data, '--dbname', primary.superuserUrl, '--write-recovery-conf', '--no-sync'];
	return [join(installedPrograms, 'pg_basebackup'), [...copy, '--checkpoint=fast']];
}

export async function accountOf(name: string): Promise<{ uid: number; gid: number }> {
	const id = async (option: string) => Number(await runProgram('id', [option, name]));
	return { uid: await id('-u'), gid: await id('-g') };
}
