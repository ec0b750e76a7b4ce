import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createDatabase, type Database, databaseCheck, databaseOutage, withClient } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { eventually, patient, startStopwatch } from '@paddock/testing';
import { sql } from 'kysely';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import {
	type InstalledPostgres,
	installedPrograms,
	startInstalledPostgres,
} from '../start/installed-postgres.ts';

jest.setTimeout(60_000);

describeWithPrograms([join(installedPrograms, 'initdb')], 'a database on two servers', () => {
	let primary: InstalledPostgres;
	let standby: InstalledPostgres;
	let db: Database<unknown>;

	beforeAll(async () => {
		primary = await startInstalledPostgres();
		await withClient(primary.superuserUrl, (client) => client.query('create table horses (name text)'));
		standby = await startInstalledPostgres(primary);
		// The standby first: it accepts connections, but no writes.
		const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
		db = createDatabase({
			url: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`,
			poolMax: 4,
			applicationName: 'test',
			logger: silentLogger(),
		});
	}, 60_000);

	afterAll(async () => {
		await db.destroy();
		await standby.stop();
		await primary.stop();
	});

	const write = () => sql`insert into horses values ('Lisa')`.execute(db);
	const port = async () => {
		const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(db);
		return rows[0]?.port;
	};
	const isOutage = (work: Promise<unknown>) =>
		work.then(
			() => false,
			(error: unknown) => {
				if (databaseOutage(error)?.status !== 503) throw error;
				return true;
			},
		);

	// Regression: every new connection went to the standby again.
	test('with target `any` is written to at the next server once the first has refused a write', async () => {
		const any = createDatabase<unknown>({
			url: `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres`,
			applicationName: 'test',
			logger: silentLogger(),
		});
		const attempt = () => sql`insert into horses values ('Lisa')`.execute(any);
		try {
			expect(await isOutage(attempt())).toBe(true);
			await attempt();
		} finally {
			await any.destroy();
		}
	});

	test('is used where it accepts writes, and used again within 2 s after a promotion', async () => {
		await Promise.all(Array.from({ length: 8 }, write));
		expect(await port()).toBe(primary.port);

		await primary.stop();
		for (let round = 0; round < 5; round += 1) expect(await isOutage(write())).toBe(true);
		await expect(databaseCheck(db).check()).rejects.toThrow();

		await standby.promote();
		const elapsedMs = startStopwatch();
		await eventually('it is written to', async () => !(await isOutage(write())), 5_000);
		expect(elapsedMs()).toBeLessThan(patient(2_000));
		expect(await port()).toBe(standby.port);
		await databaseCheck(db).check();
	});

	// Regression: writes got 500, and the connections to the demoted server stayed in the pool.
	test('that becomes read-only is not ready, costs 503, and is used again once it accepts writes', async () => {
		const setReadOnly = (value: 'on' | 'off') =>
			withClient(standby.superuserUrl, async (client) => {
				await client.query(`alter system set default_transaction_read_only = ${value}`);
				await client.query('select pg_reload_conf()');
			});
		await Promise.all(Array.from({ length: 4 }, write));
		await setReadOnly('on');
		await eventually('writes fail with 503', () => isOutage(write()));
		await expect(databaseCheck(db).check()).rejects.toThrow();
		await setReadOnly('off');
		await eventually('writes succeed', async () => !(await isOutage(write())));
		await databaseCheck(db).check();
	});
});
