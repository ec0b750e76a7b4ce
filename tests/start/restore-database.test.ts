import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ensureDatabaseAndRole, withClient } from '@paddock/database';
import { eventually } from '@paddock/testing';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { restoreDatabase } from '../../scripts/backup/restore-database.ts';
import { type InstalledPostgres, installedPrograms, startInstalledPostgres } from './installed-postgres.ts';

jest.setTimeout(60_000);

const { signal } = new AbortController();

describeWithPrograms([join(installedPrograms, 'initdb')], 'a restore', () => {
	let server: InstalledPostgres;
	let url: string;

	beforeAll(async () => {
		server = await startInstalledPostgres();
		const names = { database: 'restored', role: 'restored', password: 'none' };
		url = await ensureDatabaseAndRole(server.superuserUrl, names);
	});
	afterAll(() => server.stop());

	// PostgreSQL's own work on the tables was reported as a service that has to be stopped.
	test('does not take autovacuum for a connected service', async () => {
		await withClient(url, async (client) => {
			// Slow enough to be there during the whole test.
			await client.query(`create table vacuumed (id int) with (autovacuum_vacuum_threshold = 0,
				autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)`);
			await client.query('insert into vacuumed select generate_series(1, 100000)');
			await client.query('delete from vacuumed');
		});
		await withClient(server.superuserUrl, async (client) => {
			await client.query(`alter system set autovacuum_naptime = '1s'`);
			await client.query('select pg_reload_conf()');
			const workers = `select 1 from pg_stat_activity where backend_type = 'autovacuum worker' and datname = 'restored'`;
			await eventually('autovacuum runs', async () => (await client.query(workers)).rowCount === 1);
		});
		const options = { replace: false, signal };
		await expect(restoreDatabase(url, 'none.dump', options)).rejects.toThrow('it has 1 tables');
	});
});
