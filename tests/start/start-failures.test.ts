import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { freeBasePort, living, pathWithoutConsul } from './started-system.ts';
import { useStarts } from './use-starts.ts';

jest.setTimeout(120_000);

const { PATH = '' } = process.env;
const starts = useStarts(PATH);
const { start, health } = starts;

const allPortsFree = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
const hasPrivilegedPorts = !existsSync(allPortsFree) || Number(readFileSync(allPortsFree, 'utf8')) >= 1_024;
const privilegedTest = hasPrivilegedPorts ? test : test.skip; // A container may give every account all ports.

/** Runs a start that must fail with exit code 1 and one line, leaving no process. @returns the line */
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

	test('DATA_DIR is where the kernel allows no directory', async () => {
		// Node.js repeats a recursive mkdir forever there.
		expect(await failedStart({ DATA_DIR: '/proc/paddock' })).toContain(
			"DATA_DIR /proc/paddock can't be used: ENOENT",
		);
	});

	// Root may bind such a port, but PostgreSQL runs under another account.
	privilegedTest('a derived port requires more privileges than the process has, naming it', async () => {
		const isRoot = process.getuid?.() === 0;
		expect(await failedStart({ PORT: '1013' })).toMatch(
			isRoot ? /port 1023 \(PORT\+10\).*Permission denied/ : /port 1013 on .*requires more privileges/,
		);
	});

	test('its settings are invalid, naming each', async () => {
		const message = await failedStart({ PORT: '80x', DISCOVERY: 'dns', CONTEXTS: 'auth,horse' });
		for (const name of ['PORT', 'DISCOVERY', 'CONTEXTS']) expect(message).toContain(name);
	});

	test('a setting of a service is invalid', async () => {
		expect(await failedStart({ PASSWORD_LENGTH_MIN: 'many' })).toMatch(/auth-service.*PASSWORD_LENGTH_MIN/);
	});

	test('another start uses the same DATA_DIR', async () => {
		const first = start();
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
