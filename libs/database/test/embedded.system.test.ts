import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createDatabase, withDatabase } from '@paddock/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@paddock/database/embedded';
import { silentLogger } from '@paddock/telemetry';
import { freePort } from '@paddock/testing';
import { sql } from 'kysely';
import { eventually, makeServerDirectory, processesIn } from './server-directory.ts';

const logger = silentLogger();
let directory: Awaited<ReturnType<typeof makeServerDirectory>>;
let dataDir: string;
let port: number;
let running: EmbeddedPostgres[];

beforeEach(async () => {
	directory = await makeServerDirectory();
	dataDir = join(directory.path, 'postgres');
	port = await freePort();
	running = [];
});

afterEach(async () => {
	await Promise.all(running.map((server) => server.stop()));
	await directory.remove();
});

async function start(): Promise<EmbeddedPostgres> {
	const server = await startEmbeddedPostgres({ dataDir, port, logger, durable: false });
	running.push(server);
	return server;
}

async function query(url: string, text: string): Promise<unknown[]> {
	const db = createDatabase({ url, applicationName: 'test', logger });
	try {
		return (await sql.raw<unknown>(text).execute(db)).rows;
	} finally {
		await db.destroy();
	}
}

/** A process of its own that has started a server; resolves with both once the server responds. */
async function startInChild() {
	const child = spawn(
		process.execPath,
		[join(import.meta.dirname, 'start-embedded.ts'), dataDir, String(port)],
		{
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	const [url]: string[] = await once(createInterface(child.stdout), 'line');
	return { child, url: url ?? '' };
}

describe('the embedded server', () => {
	test('keeps data and passwords over a restart, and leaves no process', async () => {
		const first = await start();
		const url = await first.ensureDatabase('paddock_horses', 'paddock_horses');
		await query(url, 'create table horses as select 7 as id');
		await first.stop();
		expect(await processesIn(directory.path)).toEqual([]);
		const second = await start();
		expect(await second.ensureDatabase('paddock_horses', 'paddock_horses')).toBe(url);
		expect(await query(url, 'select id from horses')).toEqual([{ id: 7 }]);
	});

	test('gives each role its own database with the extensions, and no access to another', async () => {
		const server = await start();
		const one = await server.ensureDatabase('paddock_one', 'paddock_one');
		await server.ensureDatabase('paddock_two', 'paddock_two');
		const folded = `select unaccent('Österreich') as a, 'ABC'::citext = 'abc' as b, similarity('Müller', 'Muller') > 0.3 as c`;
		expect(await query(one, folded)).toEqual([{ a: 'Osterreich', b: true, c: true }]);
		for (const other of ['paddock_two', 'postgres', 'template1']) {
			await expect(query(withDatabase(one, other), 'select 1')).rejects.toMatchObject({ code: '42501' });
		}
		await expect(query(one, 'create role intruder')).rejects.toMatchObject({ code: '42501' });
	});

	test('gives a role a database in UTF-8 on a cluster with another encoding', async () => {
		const server = await start();
		await query(
			server.superuserUrl,
			`update pg_database set encoding = pg_char_to_encoding('SQL_ASCII') where datname = 'template1'`,
		);
		const url = await server.ensureDatabase('paddock_horses', 'paddock_horses');
		expect(await query(url, `select current_setting('server_encoding') as encoding`)).toEqual([
			{ encoding: 'UTF8' },
		]);
	});

	test('counts an umlaut among the letters when it looks for similar words', async () => {
		const server = await start();
		expect(await query(server.superuserUrl, `select lower('ÄÖ') as low`)).toEqual([{ low: 'äö' }]);
		const url = await server.ensureDatabase('paddock_names', 'paddock_names');
		expect(await query(url, `select array_to_string(show_trgm('ö'), '|') <> '' as known`)).toEqual([
			{ known: true },
		]);
	});

	test('refuses connections without the password, and hides it from other accounts', async () => {
		const server = await start();
		const url = new URL(server.superuserUrl);
		url.password = 'guess';
		await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
		expect((await stat(server.dataDir)).mode & 0o777).toBe(0o700);
		expect((await stat(join(server.dataDir, 'passwords.json'))).mode & 0o777).toBe(0o600);
	});

	test('ends when its starter is killed, and the next start finds the data', async () => {
		const { child, url } = await startInChild();
		await query(url, 'create table kept as select 1 as id');
		child.kill('SIGKILL');
		await eventually(
			'no process of the server',
			async () => (await processesIn(directory.path)).length === 0,
		);
		const server = await start();
		expect(await query(server.superuserUrl, 'select id from kept')).toEqual([{ id: 1 }]);
	});

	test('needs no waiting: a start immediately after the kill stops it', async () => {
		const { child } = await startInChild();
		child.kill('SIGKILL');
		await once(child, 'exit');
		const server = await start();
		expect(await query(server.superuserUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
	});

	test('without any tether is stopped by the next start', async () => {
		const { child, url } = await startInChild();
		// Both shells of the tether, then the starter: the server remains unwatched.
		// Frozen first, because a starter stops the server when its shell exits.
		child.kill('SIGSTOP');
		for (const pid of await shellsOf(directory.path)) process.kill(pid, 'SIGKILL');
		child.kill('SIGKILL');
		await once(child, 'exit');
		await eventually(
			'the server continues',
			async () => (await query(url, 'select 1 as one').catch(() => [])).length === 1,
		);
		const server = await start();
		expect(await query(server.superuserUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
	});

	test('survives an initdb that was cut off', async () => {
		await mkdir(join(dataDir, 'initdb', 'base'), { recursive: true });
		await writeFile(join(dataDir, 'initdb', 'PG_VERSION'), '18\n');
		await writeFile(join(dataDir, 'initdb-password'), 'half');
		const server = await start();
		expect(await query(server.superuserUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
		expect(existsSync(join(dataDir, 'initdb'))).toBe(false);
	});

	test('starts although the pid file of a killed server names another process', async () => {
		const first = await start();
		await first.stop();
		running = [];
		const pidFile = join(first.dataDir, 'cluster', 'postmaster.pid');
		await writeFile(pidFile, `${process.ppid}\n${join(first.dataDir, 'cluster')}\n1\n${port}\n\n127.0.0.1\n`);
		const server = await start();
		expect(await query(server.superuserUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
	});

	test('is not started twice on the same data', async () => {
		const { child } = await startInChild();
		await expect(startEmbeddedPostgres({ dataDir, port: await freePort(), logger })).rejects.toThrow(
			`${dataDir} is in use by process ${child.pid}`,
		);
		child.kill('SIGKILL');
		await eventually(
			'no process of the server',
			async () => (await processesIn(directory.path)).length === 0,
		);
	});

	test('says in PostgreSQL’s words why it did not start, and leaves nothing behind', async () => {
		const other = createServer((socket) => socket.resume()).listen(port, '127.0.0.1');
		await once(other, 'listening');
		await expect(start()).rejects.toThrow(/did not start.*(in use|could not)/);
		other.close();
		expect(await processesIn(directory.path)).toEqual([]);
		await start();
	});

	test('refuses the data of another major version', async () => {
		const first = await start();
		await first.stop();
		running = [];
		await writeFile(join(first.dataDir, 'cluster', 'PG_VERSION'), '17\n');
		await expect(start()).rejects.toThrow(/made by PostgreSQL 17/);
	});

	test('writes its log to the given file', async () => {
		const logFile = join(directory.path, 'database.log');
		await appendFile(logFile, 'before\n');
		running.push(await startEmbeddedPostgres({ dataDir, port, logger, durable: false, logFile }));
		expect(await readFile(logFile, 'utf8')).toMatch(/^before\n.*ready to accept connections/s);
	});
});

/** The shells among the server's processes; the tether waits in them. */
async function shellsOf(path: string): Promise<number[]> {
	const shells: number[] = [];
	for (const pid of await processesIn(path)) {
		const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
		if (name.trim() === 'sh') shells.push(pid);
	}
	return shells;
}
