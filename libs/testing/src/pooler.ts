import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { startProgram } from './program.ts';
import { acceptsClients } from './readiness.ts';

export interface Pooler {
	/** The database through the pooler. */
	readonly url: string;
	stop(): Promise<void>;
}

// PgBouncer refuses to run as root.
const nobody = { uid: 65_534, gid: 65_534 };

/** Starts PgBouncer in transaction mode, with two connections to one database for all its clients. */
export async function startPooler(databaseUrl: string): Promise<Pooler> {
	const target = new URL(databaseUrl);
	const name = target.pathname.slice(1);
	const directory = await mkdtemp(join(tmpdir(), 'paddock-pooler-'));
	await chmod(directory, 0o755);
	const port = await freePort();
	const file = join(directory, 'pgbouncer.ini');
	const server = `host=${target.hostname} port=${target.port} user=${target.username} password=${target.password}`;
	await writeFile(
		file,
		`[databases]
${name} = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
	);
	const account = process.getuid?.() === 0 ? nobody : {};
	const url = `postgres://${target.username}@127.0.0.1:${port}/${name}${target.search}`;
	const program = await startProgram({
		command: ['pgbouncer', '--quiet', file],
		cwd: '/',
		...account,
		ready: () => acceptsClients(url),
	});
	return {
		url,
		stop: async () => {
			await program.stop('SIGINT');
			await rm(directory, { recursive: true, force: true });
		},
	};
}
