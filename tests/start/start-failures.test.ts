import { once } from 'node:events';
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

describe('npm start fails in one line, leaving nothing behind, when', () => {
	test.each([
		['PORT', 0, 'gateway'],
		['PORT+3', 3, 'masterdata-service'],
		['PORT+10', 10, 'database'],
	])('the port of %s is in use', async (setting, offset, part) => {
		const other = createServer().listen(starts.port() + offset, '127.0.0.1');
		await once(other, 'listening');
		const said = await failedStart();
		expect(said).toContain(
			`port ${starts.port() + offset} on 127.0.0.1 is in use; it is for ${part} (${setting})`,
		);
		other.close();
	});

	test('DATA_DIR is no directory', async () => {
		await writeFile(starts.dataDir(), 'a file');
		expect(await failedStart()).toContain(`DATA_DIR ${starts.dataDir()} can't be used`);
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
			POSTGRES_URL: `postgres://postgres:secret-word@127.0.0.1:${starts.port() + 10}/postgres`,
		});
		expect(said).toMatch(/POSTGRES_URL .*ECONNREFUSED/);
		expect(said).not.toContain('secret-word');
	});
});
