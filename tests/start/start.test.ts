import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { demoSignIns } from '../../scripts/start/demo-sign-ins.ts';
import {
	freeBasePort,
	goneWithin,
	living,
	makeDataDir,
	pathWithoutConsul,
	type StartAttempt,
	startSystem,
} from './started-system.ts';

jest.setTimeout(120_000);

const visitor = {
	email: 'visitor@example.net',
	password: 'seven oxers in a row',
	firstName: 'Vera',
	lastName: 'Visitor',
};
const { PATH = '' } = process.env;
let data: Awaited<ReturnType<typeof makeDataDir>>;
let port: number;
let started: StartAttempt[];

beforeEach(async () => {
	data = await makeDataDir();
	port = await freeBasePort();
	started = [];
});

afterEach(async () => {
	for (const system of started) {
		const pids = await system.tree();
		await system.end('SIGTERM');
		await goneWithin(pids, 'the processes of a test are gone');
	}
	await data.remove();
});

function start(env: Record<string, string> = {}): StartAttempt {
	const system = startSystem({ PATH, DATA_DIR: data.path, PORT: String(port), DISCOVERY: 'static', ...env });
	started.push(system);
	return system;
}

/** The start must fail: its exit code, what it said, and that nothing is left of it. */
async function failedStart(env: Record<string, string> = {}): Promise<string> {
	const system = start(env);
	const seen = new Set<number>();
	const [code] = await Promise.all([
		once(system.process, 'close').then(([exitCode]) => exitCode),
		(async () => {
			while (system.process.exitCode === null) {
				for (const pid of await system.tree()) seen.add(pid);
				await delay(20);
			}
		})(),
	]);
	expect(code).toBe(1);
	expect(await living([...seen])).toEqual([]);
	expect(system.stderr().trim().split('\n')).toHaveLength(1);
	expect(system.stderr()).not.toMatch(/\n\s+at /);
	return system.stderr();
}

async function post(path: string, body: unknown): Promise<number> {
	const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});
	await answer.arrayBuffer();
	return answer.status;
}

async function health(): Promise<{ code: number; status: string }> {
	const answer = await fetch(`http://127.0.0.1:${port}/actuator/health`).catch(() => undefined);
	if (!answer) return { code: 0, status: 'unreachable' };
	const { data: view } = (await answer.json()) as { data: { status: string } };
	return { code: answer.status, status: view.status };
}

async function environmentOf(pid: number): Promise<Map<string, string>> {
	const text = await readFile(`/proc/${pid}/environ`, 'utf8');
	const entries = text.split('\0').map((line): [string, string] => {
		const equals = line.indexOf('=');
		return [line.slice(0, equals), line.slice(equals + 1)];
	});
	return new Map(entries);
}

async function findProcess(system: StartAttempt, words: string): Promise<number> {
	for (const pid of await system.tree()) {
		const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
		if (command.includes(words)) return pid;
	}
	throw new Error(`no process ${words}`);
}

describe('npm start', () => {
	test('brings everything up, says where it is and how to sign in, stops at Ctrl-C, and keeps the data', async () => {
		const first = start();
		await first.up();
		expect(await health()).toEqual({ code: 200, status: 'UP' });
		for (const text of [
			first.url,
			`${first.url}/openapi.yaml`,
			'static list',
			data.path,
			demoSignIns.password,
		]) {
			expect(first.stdout()).toContain(text);
		}
		for (const { email } of demoSignIns.users) {
			expect(first.stdout()).toContain(email);
			expect(await post('/auth/login', { email, password: demoSignIns.password })).toBe(200);
		}
		expect(await post('/auth/register', visitor)).toBe(201);
		const pids = await first.tree();
		expect(await first.end('SIGINT')).toBe(0);
		expect(await living(pids)).toEqual([]);
		expect(first.stderr()).toBe('');

		const second = start();
		await second.up();
		expect(await post('/auth/login', { email: visitor.email, password: visitor.password })).toBe(200);
	});

	test('gives each process only its own secrets', async () => {
		const system = start({
			ADMIN_EMAIL: 'boss@example.net',
			ADMIN_PASSWORD: 'a quiet stable at night',
			DATABASE_URL: 'postgres://somebody:else@example.net/other',
		});
		await system.up();
		const processes = [
			'gateway/src',
			'services/ping',
			'services/masterdata',
			'services/auth',
			'bin/postgres',
		];
		const environments = await Promise.all(
			processes.map(async (words) => environmentOf(await findProcess(system, words))),
		);
		const urls = environments.map((environment) => environment.get('DATABASE_URL'));
		expect(urls.map((url) => url && new URL(url).pathname)).toEqual([
			undefined,
			undefined,
			'/paddock_masterdata',
			'/paddock_auth',
			undefined,
		]);
		expect(environments.map((environment) => environment.has('ADMIN_PASSWORD'))).toEqual([
			false,
			false,
			false,
			true,
			false,
		]);
		expect(
			await post('/auth/login', { email: 'boss@example.net', password: 'a quiet stable at night' }),
		).toBe(200);
		for (const path of ['logs', 'postgres']) {
			expect((await stat(`${data.path}/${path}`)).mode & 0o077).toBe(0);
		}
	});

	test('leaves nothing running when it is killed, and the next start takes over with the data', async () => {
		const first = start();
		await first.up();
		expect(await post('/auth/register', visitor)).toBe(201);
		const pids = await first.tree();
		expect(pids.length).toBeGreaterThan(6);
		await first.end('SIGKILL');
		const second = start();
		await second.up();
		expect(await living(pids)).toEqual([]);
		expect(await post('/auth/login', { email: visitor.email, password: visitor.password })).toBe(200);
	});

	test('starts a service again that has crashed, and says so', async () => {
		const system = start();
		await system.up();
		const pid = await findProcess(system, 'services/masterdata');
		process.kill(pid, 'SIGKILL');
		await eventually('the service is missed', async () => (await health()).status === 'DOWN', 20_000);
		await eventually('the service is back', async () => (await health()).status === 'UP', 40_000);
		expect(system.stderr()).toMatch(
			/^masterdata-service: ended \(signal SIGKILL\); starting it again in 0\.5 s$/m,
		);
		expect(await findProcess(system, 'services/masterdata')).not.toBe(pid);
	});

	test('starts the database again that has crashed, and the services find it by themselves', async () => {
		const system = start({ RATE_LIMIT_SIGN_IN: '0' });
		await system.up();
		const [pid] = (await readFile(`${data.path}/postgres/cluster/postmaster.pid`, 'utf8')).split('\n', 1);
		process.kill(Number(pid), 'SIGKILL');
		await eventually('the loss is noticed', async () => system.stderr().includes('database: ended'), 20_000);
		const signIn = { email: 'member@example.org', password: demoSignIns.password };
		await eventually('sign-in works', async () => (await post('/auth/login', signIn)) === 200, 40_000);
	});

	test('takes signals within a second for one, and ends at once at a later one', async () => {
		const system = start({ DRAIN_MS: '10000' });
		await system.up();
		const pids = await system.tree();
		system.process.kill('SIGINT');
		await delay(200); // Less than the second that makes them one.
		system.process.kill('SIGINT');
		await delay(1_500); // More than it; and less than the drain, in which it still is.
		expect(system.process.exitCode).toBeNull();
		const startedAt = performance.now();
		expect(await system.end('SIGTERM')).toBe(1);
		expect(performance.now() - startedAt).toBeLessThan(2_000);
		await goneWithin(pids, 'all processes are gone');
	});

	test('can be stopped while it is coming up', async () => {
		const system = start();
		await eventually('PostgreSQL is being started', async () => (await system.tree()).length > 2, 20_000);
		const pids = await system.tree();
		expect(await system.end('SIGTERM')).toBe(0);
		await goneWithin(pids, 'all processes are gone');
		expect(system.stdout()).not.toContain('Paddock is up');
	});
});

describe('npm start fails in one line, leaving nothing behind, when', () => {
	test.each([
		['PORT', 0, 'gateway'],
		['PORT+3', 3, 'masterdata-service'],
		['PORT+10', 10, 'database'],
	])('the port of %s is in use', async (setting, offset, part) => {
		const other = createServer().listen(port + offset, '127.0.0.1');
		await once(other, 'listening');
		const said = await failedStart();
		expect(said).toContain(`port ${port + offset} on 127.0.0.1 is in use; it is for ${part} (${setting})`);
		other.close();
	});

	test('DATA_DIR is no directory', async () => {
		await writeFile(data.path, 'a file');
		expect(await failedStart()).toContain(`DATA_DIR ${data.path} can't be used`);
	});

	test('settings of its own are bad, naming each', async () => {
		const said = await failedStart({ PORT: '80x', DISCOVERY: 'dns', CONTEXTS: 'auth,horse' });
		for (const name of ['PORT', 'DISCOVERY', 'CONTEXTS']) expect(said).toContain(name);
	});

	test('a setting of a service is bad', async () => {
		expect(await failedStart({ PASSWORD_LENGTH_MIN: 'many' })).toMatch(/auth-service.*PASSWORD_LENGTH_MIN/);
	});

	test('another start has the same DATA_DIR', async () => {
		const first = start();
		await first.up();
		const said = await failedStart({ PORT: String(await freeBasePort()) });
		expect(said).toContain(`in use by process ${first.process.pid}: another start uses this DATA_DIR`);
		expect(await health()).toEqual({ code: 200, status: 'UP' });
	});

	test('Consul is demanded and there is none', async () => {
		const said = await failedStart({ DISCOVERY: 'consul', PATH: await pathWithoutConsul(PATH) });
		expect(said).toContain('DISCOVERY=consul needs a consul on the PATH');
	});

	test('the server of POSTGRES_URL does not answer', async () => {
		const said = await failedStart({
			POSTGRES_URL: `postgres://postgres:secret-word@127.0.0.1:${port + 10}/postgres`,
		});
		expect(said).toMatch(/POSTGRES_URL .*ECONNREFUSED/);
		expect(said).not.toContain('secret-word');
	});
});
