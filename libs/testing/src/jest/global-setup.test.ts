import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { createDatabase } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { sql } from 'kysely';
import { eventually } from '../eventually.ts';

test('after a killed test run the PostgreSQL server exits and removes its data', async () => {
	const program = `
		const { default: globalSetup } = await import(${JSON.stringify(join(import.meta.dirname, 'global-setup.ts'))});
		await globalSetup();
		console.log(process.env.PADDOCK_TEST_POSTGRES_URL);
		setInterval(() => {}, 1000);`;
	const { TEST_POSTGRES_URL: _own, ...env } = process.env;
	const run = spawn(process.execPath, ['--input-type=module', '-e', program], {
		stdio: ['ignore', 'pipe', 'inherit'],
		env,
	});
	const [url]: string[] = await once(createInterface(run.stdout), 'line');
	const db = createDatabase({ url: url ?? '', applicationName: 'test', logger: silentLogger() });
	const { rows } = await sql<{ dataDirectory: string }>`show data_directory`.execute(db);
	const [row] = rows;
	if (!row) throw new Error('no data directory');
	expect(existsSync(row.dataDirectory)).toBe(true);
	run.kill('SIGKILL');
	// The server first finishes its work, on a machine that may be busy.
	await eventually('the data directory is removed', () => !existsSync(join(row.dataDirectory, '..')), 40_000);
	await expect(sql`select 1`.execute(db)).rejects.toThrow();
	await db.destroy();
}, 60_000);
