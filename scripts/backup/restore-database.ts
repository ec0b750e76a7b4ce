import { withClient } from '@paddock/database';
import { StartError } from '../start/start-error.ts';
import { clientProgram } from './client-program.ts';

const systemSchemas = `array['pg_catalog', 'information_schema']`;

/**
 * Replaces the content of a database by that of a dump.
 * @throws StartError if the database is in use, or not empty without `replace`; if pg_restore fails, the database is
 * empty afterwards
 */
export async function restoreDatabase(
	url: string,
	dump: string,
	options: { replace: boolean; signal: AbortSignal },
): Promise<void> {
	await withClient(url, async (client) => {
		// Autovacuum has no user.
		const { rows } = await client.query<{ others: number; tables: number }>(`
			select
				(select count(*)::int from pg_stat_activity
					where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null) as others,
				(select count(*)::int from pg_tables where schemaname <> all (${systemSchemas})) as tables`);
		const [found = { others: 0, tables: 0 }] = rows;
		if (found.others > 0) throw new StartError('its service is connected: stop the services first');
		if (found.tables > 0 && !options.replace) {
			throw new StartError(`it has ${found.tables} tables; --replace replaces them`);
		}
		// In one statement, so one transaction. Of the schemas of others, such as a managed server's, a dump has nothing.
		await client.query(`
			do $$
			declare own record;
			begin
				for own in select nspname from pg_namespace
					where nspname <> all (${systemSchemas}) and nspname !~ '^pg_' and pg_has_role(nspowner, 'usage')
				loop
					execute format('drop schema %I cascade', own.nspname);
				end loop;
				create schema public;
			end $$`);
	});
	await clientProgram(
		'pg_restore',
		url,
		['--no-owner', '--exit-on-error', '--single-transaction', dump],
		options.signal,
	);
}
