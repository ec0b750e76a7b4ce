import { readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { eventually, patient } from '@paddock/testing';
import { describeWithConsul } from '../../libs/testing/src/describe-with-consul.ts';
import { demoSignIns } from '../../scripts/start/banner.ts';
import { expectExited, living, type StartAttempt } from './started-system.ts';
import { fewContexts, onlyPing, useStarts } from './use-starts.ts';

jest.setTimeout(120_000);

const visitor = {
	email: 'visitor@example.net',
	password: 'seven oxers in a row',
	firstName: 'Vera',
	lastName: 'Visitor',
};
const { PATH = '' } = process.env;
const starts = useStarts(PATH);
const { start, post, health } = starts;

async function environmentOf(pid: number): Promise<Map<string, string>> {
	const text = await readFile(`/proc/${pid}/environ`, 'utf8');
	const entries = text.split('\0').map((line): [string, string] => {
		const equals = line.indexOf('=');
		return [line.slice(0, equals), line.slice(equals + 1)];
	});
	return new Map(entries);
}

async function findProcess(system: StartAttempt, words: string): Promise<number> {
	for (const pid of system.tree()) {
		const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
		if (command.includes(words)) return pid;
	}
	throw new Error(`no process ${words}`);
}

async function isRunning(system: StartAttempt, words: string): Promise<boolean> {
	return findProcess(system, words).then(
		() => true,
		() => false,
	);
}

/** Finds a process by the name of its program, which excludes the shell that runs it. */
async function findProgram(system: StartAttempt, name: string): Promise<number> {
	for (const pid of system.tree()) {
		const program = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
		if (program.trim() === name) return pid;
	}
	throw new Error(`no process ${name}`);
}

/** Kills a service and the database; both must be reported and run again. */
async function expectRestarts(system: StartAttempt): Promise<void> {
	const pid = await findProcess(system, 'paddock ping');
	process.kill(pid, 'SIGKILL');
	await eventually('the crash is reported', () => system.stderr().includes('ping-service: exited'), 20_000);
	await eventually('the process runs again', async () => await isRunning(system, 'paddock ping'));
	await eventually('health is UP', async () => (await health()).status === 'UP', 40_000);
	expect(system.stderr()).toMatch(/^ping-service: exited \(signal SIGKILL\); restarting in 0\.5 s$/m);
	expect(await findProcess(system, 'paddock ping')).not.toBe(pid);

	const [server] = (await readFile(`${starts.dataDir()}/postgres/cluster/postmaster.pid`, 'utf8')).split(
		'\n',
		1,
	);
	process.kill(Number(server), 'SIGKILL');
	await eventually('the crash is reported', async () => system.stderr().includes('database: exited'), 20_000);
	const signIn = { email: 'member@example.org', password: demoSignIns.password };
	await eventually('sign-in works', async () => (await post('/auth/login', signIn)) === 200, 40_000);
}

describe('npm start', () => {
	// One story, as each start takes seconds of processor time: three starts on the same data.
	test('starts all processes, stops at Ctrl-C or by a kill without leaving a process, keeps the data, and restarts what crashed', async () => {
		const first = start();
		await first.up();
		expect(await health()).toEqual({ code: 200, status: 'UP' });
		for (const text of [
			first.url,
			`${first.url}/openapi.yaml`,
			'static list',
			starts.dataDir(),
			demoSignIns.password,
		]) {
			expect(first.stdout()).toContain(text);
		}
		for (const { email } of demoSignIns.users) {
			expect(first.stdout()).toContain(email);
			expect(await post('/auth/login', { email, password: demoSignIns.password })).toBe(200);
		}
		expect(await post('/auth/register', visitor)).toBe(201);
		const pids = first.tree();
		expect(await first.end('SIGINT')).toBe(0);
		expect(await living(pids)).toEqual([]);
		expect(first.stderr()).toBe('');

		const second = start({ ...fewContexts, INSTANCES: 'ping=2' });
		await second.up();
		expect(await post('/auth/login', { email: visitor.email, password: visitor.password })).toBe(200);
		const port = Number(new URL(second.url).port);
		for (const pingPort of [port + 6, port + 11]) {
			expect(second.stdout()).toContain(` :${pingPort}`);
			await eventually(`the gateway forwards to ${pingPort}`, async () => {
				expect((await fetch(`${second.url}/api/ping`)).status).toBe(200);
				const log = await readFile(`${starts.dataDir()}/logs/gateway.log`, 'utf8');
				return log.includes(`"instance":"127.0.0.1:${pingPort}"`);
			});
		}
		const killed = second.tree();
		expect(killed.length).toBeGreaterThan(4);
		await second.end('SIGKILL');

		// Health and sign-in are polled faster than their rate limits allow.
		const third = start({ ...fewContexts, RATE_LIMIT_ANONYMOUS: '0', RATE_LIMIT_SIGN_IN: '0' });
		await third.up();
		expect(await living(killed)).toEqual([]);
		expect(await post('/auth/login', { email: visitor.email, password: visitor.password })).toBe(200);
		await expectRestarts(third);
	});

	test('gives each process only its own secrets', async () => {
		const foreignSecret = 'a-secret-that-belongs-to-none-of-these-processes';
		const system = start({
			CONTEXTS: 'auth,masterdata,ping',
			ADMIN_EMAIL: 'boss@example.net',
			ADMIN_PASSWORD: 'a quiet stable at night',
			DATABASE_URL: 'postgres://somebody:else@example.net/other',
			SERVICE_SECRET: foreignSecret,
		});
		await system.up();
		const processes = [
			'paddock gateway',
			'paddock ping',
			'paddock masterdata',
			'paddock auth',
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
		for (const secret of ['ADMIN_PASSWORD', 'SERVICE_SECRETS']) {
			expect(environments.map((environment) => environment.has(secret))).toEqual([
				false,
				false,
				false,
				true,
				false,
			]);
		}
		const own = environments.map((environment) => environment.get('SERVICE_SECRET'));
		expect(own.map((secret) => secret !== undefined)).toEqual([false, false, true, false, false]);
		expect(own).not.toContain(foreignSecret);
		expect(
			await post('/auth/login', { email: 'boss@example.net', password: 'a quiet stable at night' }),
		).toBe(200);
		for (const path of ['logs', 'postgres']) {
			expect((await stat(`${starts.dataDir()}/${path}`)).mode & 0o077).toBe(0);
		}
	});

	test('counts signals within a second as one, and exits at once at a later one', async () => {
		const system = start({ ...onlyPing, DRAIN_MS: '10000' });
		await system.up();
		const pids = system.tree();
		system.process.kill('SIGINT');
		await delay(200); // Within the second in which signals count as one.
		system.process.kill('SIGINT');
		await delay(1_500); // After that second, still within DRAIN_MS.
		expect(system.process.exitCode).toBeNull();
		const startedAt = performance.now();
		expect(await system.end('SIGTERM')).toBe(1);
		expect(performance.now() - startedAt).toBeLessThan(patient(2_000));
		await expectExited(pids, 'all processes have exited');
	});

	test('can be stopped during startup', async () => {
		const system = start(fewContexts);
		await eventually('PostgreSQL is starting', () => system.tree().length > 2, 20_000);
		const pids = system.tree();
		expect(await system.end('SIGTERM')).toBe(0);
		await expectExited(pids, 'all processes have exited');
		expect(system.stdout()).not.toContain('Paddock is up');
	});
});

describeWithConsul('npm start with Consul', () => {
	test('starts an agent, discovers all services through it, restarts it after a crash, and stops it at the end', async () => {
		const system = start({ ...onlyPing, DISCOVERY: 'consul' });
		await system.up();
		expect(system.stdout()).toMatch(/Registry +Consul at 127\.0\.0\.1:\d+ \(started here/);
		expect(await health()).toEqual({ code: 200, status: 'UP' });
		process.kill(await findProgram(system, 'consul'), 'SIGKILL');
		await eventually('the crash is reported', () => system.stderr().includes('consul: exited'), 10_000);
		await eventually(
			'discovery is UP',
			async () => {
				const { data: view } = (await (await fetch(`${system.url}/actuator/health/discovery`)).json()) as {
					data: { status: string };
				};
				return view.status === 'UP';
			},
			60_000,
		);
		const pids = system.tree();
		expect(await system.end('SIGINT')).toBe(0);
		expect(await living(pids)).toEqual([]);
	});
});

test('npm start with POSTGRES_URL creates the databases on that server and starts none', async () => {
	const { PADDOCK_TEST_POSTGRES_URL: serverUrl = '' } = process.env;
	const onlyAuth = { CONTEXTS: 'auth', POSTGRES_URL: serverUrl };
	const first = start(onlyAuth);
	await first.up();
	expect(await health()).toEqual({ code: 200, status: 'UP' });
	await expect(findProgram(first, 'postgres')).rejects.toThrow('no process');
	expect(await post('/auth/register', visitor)).toBe(201);
	expect(await first.end('SIGTERM')).toBe(0);
	const second = start(onlyAuth);
	await second.up();
	expect(await post('/auth/login', { email: visitor.email, password: visitor.password })).toBe(200);
	expect(second.stdout()).not.toContain(new URL(serverUrl).password);
});
