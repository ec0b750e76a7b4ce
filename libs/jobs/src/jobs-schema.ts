import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** The schema of pg-boss in the database of a context. */
export const schema = 'jobs';

/**
 * Creates pg-boss's schema, or migrates it to the version of the installed pg-boss. Each upgrade of pg-boss with a new schema
 * version needs a further entry with this migration in the list of each context that has jobs.
 */
export const jobsSchema: Migration = {
	up: async (db) => {
		const { getConstructionPlans, getMigrationPlans } = await import('pg-boss');
		const { rows } = await sql<{ installed: boolean }>`
			select to_regclass('jobs.version') is not null as installed`.execute(db);
		const version = rows[0]?.installed ? await versionOf(db) : undefined;
		const plans = version === undefined ? getConstructionPlans(schema) : getMigrationPlans(schema, version);
		for (const text of statementsOf(plans)) await sql.raw(text).execute(db);
	},
};

async function versionOf(db: Parameters<Migration['up']>[0]): Promise<number> {
	const { rows } = await sql<{ version: number }>`select version from jobs.version`.execute(db);
	const version = rows[0]?.version;
	if (version === undefined) throw new Error('The schema of pg-boss has no version.');
	return version;
}

// All migrations run in one transaction, which pg-boss's own must not end. Its limits are for waiting instances.
function statementsOf(plans: string): string[] {
	const inner = plans.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, '');
	return [inner.replace(/SET LOCAL \w+ = \d+;/g, '')].filter((text) => text.trim() !== '');
}
