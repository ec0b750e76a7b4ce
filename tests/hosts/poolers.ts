import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptsClients, type Program } from '@paddock/testing';
import { startHostProcess } from './host-process.ts';
import { addressOf, type HostName } from './network.ts';

const port = 6432;
const hosts = ['h3', 'h1'] as const;
// PgBouncer refuses to run as root.
const nobody = { uid: 65_534, gid: 65_534 };

export interface Poolers {
	/** The address of a context's database through the poolers. */
	url(context: string): string;
	/** The pooler on a host. */
	at(host: (typeof hosts)[number]): Program;
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
	const start = async (host: HostName): Promise<Program> => {
		const file = join(directory, `${host}.ini`);
		await writeFile(file, configuration(host, users));
		const ready = () => acceptsClients(url(`${addressOf(host)}:${port}`, first ?? ''));
		const command = ['pgbouncer', '--quiet', file];
		return await startHostProcess({ host, name: `pgbouncer-${host}`, account: nobody, command, ready });
	};
	const running = { h3: await start('h3'), h1: await start('h1') };
	const addresses = hosts.map((host) => `${addressOf(host)}:${port}`).join(',');
	return {
		url: (context) => `${url(addresses, context)}?target_session_attrs=read-write`,
		at: (host) => running[host],
		stop: async () => {
			await Promise.all(hosts.map((host) => running[host].kill()));
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
