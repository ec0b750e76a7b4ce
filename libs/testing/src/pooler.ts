import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@paddock/database';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

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
	const child = spawn('pgbouncer', ['--quiet', file], { cwd: '/', stdio: 'ignore', ...account });
	const exited = once(child, 'exit');
	const url = `postgres://${target.username}@127.0.0.1:${port}/${name}`;
	await eventually('the pooler accepts connections', () =>
		withClient(url, async () => true).catch(() => false),
	);
	return {
		url,
		stop: async () => {
			child.kill('SIGINT');
			await exited;
			await rm(directory, { recursive: true, force: true });
		},
	};
}
