import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@paddock/database';
import { type HostProcess, hostProcess } from './host-process.ts';
import { addressOf, type HostName } from './network.ts';

const port = 6432;
const hosts = ['h3', 'h1'] as const;
// PgBouncer refuses to run as root.
const nobody = { uid: 65_534, gid: 65_534 };

export interface Poolers {
	/** The address of a context's database through the poolers. */
	url(context: string): string;
	/** The pooler on a host. */
	at(host: (typeof hosts)[number]): HostProcess;
	stop(): Promise<void>;
}

/** PgBouncer in transaction mode in front of each PostgreSQL server, on its host. */
export async function startPoolers(contexts: readonly string[]): Promise<Poolers> {
	const directory = await mkdtemp(join(tmpdir(), 'paddock-hosts-'));
	await chown(directory, nobody.uid, nobody.gid);
	const [first] = contexts;
	const url = (addresses: string, context: string) =>
		`postgres://paddock_${context}:made@${addresses}/paddock_${context}`;
	const users = join(directory, 'users');
	await writeFile(users, contexts.map((context) => `"paddock_${context}" "made"\n`).join(''));
	const start = async (host: HostName): Promise<HostProcess> => {
		const file = join(directory, `${host}.ini`);
		await writeFile(file, configuration(host, users));
		const accepts = () =>
			withClient(url(`${addressOf(host)}:${port}`, first ?? ''), async () => true).catch(() => false);
		const command = ['pgbouncer', '--quiet', file];
		const pooler = hostProcess({ host, name: `pgbouncer-${host}`, account: nobody, command, ready: accepts });
		await pooler.start();
		return pooler;
	};
	const running = { h3: await start('h3'), h1: await start('h1') };
	const addresses = hosts.map((host) => `${addressOf(host)}:${port}`).join(',');
	return {
		url: (context) => `${url(addresses, context)}?target_session_attrs=read-write`,
		at: (host) => running[host],
		stop: async () => {
			await Promise.all(hosts.map((host) => running[host].stop('SIGKILL')));
			await rm(directory, { recursive: true });
		},
	};
}

function configuration(host: HostName, users: string): string {
	return `[databases]
* = host=${addressOf(host)} port=5432
[pgbouncer]
listen_addr = ${addressOf(host)}
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 20
`;
}
