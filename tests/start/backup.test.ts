import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, rmdir, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { withClient, withDatabase } from '@paddock/database';
import { compileCache } from '../../libs/testing/src/compile-cache.ts';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { installedPrograms, startInstalledPostgres } from './installed-postgres.ts';
import { useStarts } from './use-starts.ts';

jest.setTimeout(180_000);

const root = fileURLToPath(new URL('../../', import.meta.url));
const visitor = { email: 'visitor@example.net', password: 'seven oxers in a row' };
const { PATH = '' } = process.env;

/** The content of every table of the server's databases, as a hash each. */
async function contentOf(superuserUrl: string): Promise<Record<string, string>> {
	const names = await withClient(superuserUrl, (client) =>
		client.query<{ datname: string }>(`select datname from pg_database where datname like 'paddock%'`),
	);
	const content: Record<string, string> = {};
	for (const { datname } of names.rows) {
		await withClient(withDatabase(superuserUrl, datname), async (client) => {
			const tables = await client.query<{ name: string }>(
				`select format('%I.%I', schemaname, tablename) as name from pg_tables
					where schemaname not in ('pg_catalog', 'information_schema')`,
			);
			for (const { name } of tables.rows) {
				const { rows } = await client.query<{ hash: string }>(
					`select count(*) || ' ' || coalesce(md5(string_agg(row::text, ' ' order by row::text)), '') as hash from ${name} row`,
				);
				content[`${datname}.${name}`] = rows[0]?.hash ?? '';
			}
		});
	}
	return content;
}

describeWithPrograms(['pg_dump', 'pg_restore', join(installedPrograms, 'initdb')], 'npm run backup', () => {
	const starts = useStarts(PATH);
	let folder: string;
	let servers: Awaited<ReturnType<typeof startInstalledPostgres>>[];

	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'paddock-backup-'));
		servers = await Promise.all([startInstalledPostgres(), startInstalledPostgres()]);
	});

	afterEach(async () => {
		await Promise.all(servers.map((server) => server.stop()));
		await rm(folder, { recursive: true, force: true });
	});

	async function script(name: 'backup' | 'restore', server: string, ...args: string[]) {
		const child = spawn(process.execPath, [`scripts/${name}.ts`, ...args], {
			cwd: root,
			env: {
				PATH,
				...compileCache,
				DATA_DIR: starts.dataDir(),
				PORT: String(starts.port()),
				POSTGRES_URL: server,
			},
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
		const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
		return { code, stdout, stderr };
	}

	async function expectRefused(run: ReturnType<typeof script>, reason: string): Promise<void> {
		const { code, stderr } = await run;
		expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
		expect(stderr.trim().split('\n')).toHaveLength(1);
	}

	test('of a running system, restored into an empty one, has every record; a restore replaces only if requested', async () => {
		const [from = '', to = ''] = servers.map(({ superuserUrl }) => superuserUrl);
		const backup = join(folder, 'first');
		const first = starts.start({ POSTGRES_URL: from });
		await first.up();
		expect(await starts.post('/auth/register', { ...visitor, firstName: 'Vera', lastName: 'Visitor' })).toBe(
			201,
		);
		await expectRefused(script('restore', from, backup), 'is not a complete backup');
		await mkdir(`${backup}.partial`);
		await expectRefused(script('backup', from, backup), `${backup}.partial can't be created: `);
		await rmdir(`${backup}.partial`);
		expect(await script('backup', from, backup)).toMatchObject({ code: 0, stderr: '' });
		await expectRefused(script('backup', from, backup), 'exists already');
		await expectRefused(script('restore', from, backup, '--replace'), 'stop the services first');
		await first.end('SIGTERM');

		const later = join(folder, 'later');
		expect(await script('backup', from, later)).toMatchObject({ code: 0, stderr: '' });
		expect(await script('restore', to, later)).toMatchObject({ code: 0, stderr: '' });
		const content = await contentOf(to);
		expect(Object.keys(content).length).toBeGreaterThan(30);
		expect(content).toEqual(await contentOf(from));
		expect(content).toHaveProperty(['paddock_auth.jobs.queue'], expect.stringMatching(/^[1-9]/));
		const second = starts.start({ CONTEXTS: 'auth', POSTGRES_URL: to });
		await second.up();
		expect(await starts.post('/auth/login', visitor)).toBe(200);
		await second.end('SIGTERM');

		await expectRefused(script('restore', to, later), '--replace replaces them');
		expect((await script('restore', to, later, '--replace')).code).toBe(0);
		expect(await contentOf(to)).toEqual(content);

		await truncate(join(backup, 'events.dump'), 1_000);
		await expectRefused(script('restore', to, backup, '--replace'), 'events.dump is damaged');
		expect(await contentOf(to)).toEqual(content);
	});
});
