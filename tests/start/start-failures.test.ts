import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { describeUnless } from '../../libs/testing/src/describe-with-programs.ts';
import { freeBasePort, living, pathWithoutConsul } from './started-system.ts';
import { onlyPing, useStarts } from './use-starts.ts';

jest.setTimeout(120_000);

const { PATH = '' } = process.env;
const starts = useStarts(PATH);
const { start, health } = starts;

const allPortsFree = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
const hasPrivilegedPorts = !existsSync(allPortsFree) || Number(readFileSync(allPortsFree, 'utf8')) >= 1_024;

/** Runs a start that must fail with exit code 1 and one line, leaving no process. @returns the line */
async function failedStart(env: Record<string, string> = {}): Promise<string> {
	const [line = '', ...others] = await failedLines(env);
	expect(others).toEqual([]);
	return line;
}

async function failedLines(env: Record<string, string>): Promise<string[]> {
	const system = start(env);
	const seen = new Set<number>();
	const [code] = await Promise.all([
		once(system.process, 'close').then(([exitCode]) => exitCode),
		(async () => {
			while (system.process.exitCode === null) {
				for (const pid of system.tree()) seen.add(pid);
				await delay(100);
			}
		})(),
	]);
	expect(code).toBe(1);
	expect(await living([...seen])).toEqual([]);
	expect(system.stderr()).not.toMatch(/\n\s+at /);
	return system.stderr().trim().split('\n');
}

describe('npm start fails with one line, leaving no process, if', () => {
	test.each([
		['PORT', 0, 'gateway'],
		['PORT+3', 3, 'masterdata-service'],
		['PORT+10', 10, 'database'],
	])('the port of %s is in use', async (setting, offset, part) => {
		const other = createServer().listen(starts.port() + offset, '127.0.0.1');
		await once(other, 'listening');
		const message = await failedStart();
		expect(message).toContain(
			`port ${starts.port() + offset} on 127.0.0.1 is in use; it is for ${part} (${setting})`,
		);
		other.close();
	});

	test('DATA_DIR is not a directory', async () => {
		await writeFile(starts.dataDir(), 'a file');
		expect(await failedStart()).toContain(`DATA_DIR ${starts.dataDir()} can't be used`);
	});

	// It ended with a stack, and before the database server had stopped.
	test('the addresses of the databases cannot be written', async () => {
		const file = join(starts.dataDir(), 'databases.json');
		await mkdir(file, { recursive: true });
		expect(await failedStart()).toContain(`${file} can't be written: `);
	});

	test('DATA_DIR is where the kernel allows no directory', async () => {
		// Node.js repeats a recursive mkdir forever there.
		expect(await failedStart({ DATA_DIR: '/proc/paddock' })).toContain(
			"DATA_DIR /proc/paddock can't be used: ENOENT",
		);
	});

	test('the database does not start, naming the cause before the port, which it seldom is', async () => {
		const cluster = join(starts.dataDir(), 'postgres', 'cluster');
		await mkdir(cluster, { recursive: true });
		await writeFile(join(cluster, 'PG_VERSION'), '9\n');
		expect(await failedStart()).toMatch(
			/^the database did not start: \S+ was made by PostgreSQL 9, .*; its port is \d+ \(PORT\+10\)$/,
		);
	});

	// Root may bind such a port, but PostgreSQL runs under another account.
	const noPrivilegedPorts = hasPrivilegedPorts ? undefined : 'every account may use all ports here';
	describeUnless(noPrivilegedPorts, 'of privileged ports', () => {
		test('a derived port requires more privileges than the process has, naming it', async () => {
			const isRoot = process.getuid?.() === 0;
			expect(await failedStart({ PORT: '1013' })).toMatch(
				isRoot ? /Permission denied.*port is 1023 \(PORT\+10\)/ : /port 1013 on .*requires more privileges/,
			);
		});
	});

	test('no Consul responds at CONSUL_HTTP_ADDR, after waiting for it', async () => {
		const address = `127.0.0.1:${starts.port() + 11}`;
		expect(await failedStart({ DISCOVERY: '', CONSUL_HTTP_ADDR: address })).toBe(
			`Consul at ${address} (CONSUL_HTTP_ADDR) is not usable after 10 s: connect ECONNREFUSED ${address}; start it, or unset CONSUL_HTTP_ADDR`,
		);
	});

	test('another start uses the same DATA_DIR', async () => {
		const first = start(onlyPing);
		await first.up();
		const message = await failedStart({ PORT: String(await freeBasePort()) });
		expect(message).toContain(`in use by process ${first.process.pid}: another start uses this DATA_DIR`);
		expect(await health()).toEqual({ code: 200, status: 'UP' });
	});

	test('Consul is required and missing', async () => {
		const message = await failedStart({ DISCOVERY: 'consul', PATH: await pathWithoutConsul(PATH) });
		expect(message).toContain('DISCOVERY=consul needs a consul on the PATH');
	});

	test('the server at POSTGRES_URL is unreachable', async () => {
		const message = await failedStart({
			POSTGRES_URL: `postgres://postgres:secret-word@127.0.0.1:${starts.port() + 10}/postgres`,
		});
		expect(message).toMatch(/POSTGRES_URL .*ECONNREFUSED/);
		expect(message).not.toContain('secret-word');
	});
});

test('npm start lists the violations of all processes, with values but without secrets, before it starts any', async () => {
	const lines = await failedLines({
		DEMO: 'maybe',
		LOG_LEVEL: 'loud',
		OPS_PREFIX: 'actuator',
		PASSWORD_LENGTH_MIN: 'many',
		FEDERATION_CLUB_NUMBER: '12',
		ADMIN_PASSWORD: 'hunter2',
		RATE_LIMITS_USER: '5',
	});
	expect(lines).toEqual([
		'The settings are not usable:',
		'  npm start: DEMO: must be on or off (given: "maybe")',
		'  all processes: LOG_LEVEL: must be one of error, warn, info, debug (given: "loud")',
		'  gateway: OPS_PREFIX: must be one path segment such as /actuator (given: "actuator")',
		'  auth-service: PASSWORD_LENGTH_MIN: must be a whole number from 8 to 64 (given: "many")',
		'  auth-service: ADMIN_PASSWORD: and ADMIN_EMAIL go together: give both or neither (given: [redacted])',
		'  members-service: FEDERATION_CLUB_NUMBER: must be four digits, the first not 0 (given: "12")',
		'  RATE_LIMITS_USER: is not a setting; did you mean RATE_LIMIT_USER?',
	]);
	expect(existsSync(starts.dataDir())).toBe(false);
});
