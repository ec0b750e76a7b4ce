import { existsSync } from 'node:fs';
import { camelCaseName, createDatabase } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { generate, PostgresDialect } from 'kysely-codegen';
import { migratedContexts } from '../migrations/released-migrations.ts';

/** The file with the types of a context's tables, from the project's root. */
export function databaseTypesPath(context: string): string {
	return `services/${context}/src/database-schema.generated.ts`;
}

/** The contexts whose table types are generated. */
export function typedContexts(): string[] {
	const root = new URL('../../../', import.meta.url);
	return migratedContexts().filter((context) => existsSync(new URL(databaseTypesPath(context), root)));
}

/** The types of the tables of a migrated database, after `camelCaseColumns` and `columnParsers`. */
export async function databaseTypes(url: string): Promise<string> {
	const db = createDatabase<never>({ url, applicationName: 'database-types', logger: silentLogger() });
	try {
		return await generate({
			db,
			dialect: new PostgresDialect({ dateParser: 'string' }),
			typeMapping: {
				int8: 'number',
				numeric: 'number',
				timestamptz: 'Date',
				json: 'unknown',
				jsonb: 'unknown',
			},
			excludePattern: 'kysely_migration*',
			postprocess: async ({ metadata }) => {
				for (const table of metadata.tables) {
					table.name = camelCaseName(table.name);
					for (const column of table.columns) column.name = camelCaseName(column.name);
				}
				return metadata;
			},
		});
	} finally {
		await db.destroy();
	}
}
