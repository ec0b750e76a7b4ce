import { existsSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { camelCaseName, createDatabase, type Migration, migrateToLatest } from '@paddock/database';
import { startEmbeddedPostgres } from '@paddock/database/embedded';
import { silentLogger } from '@paddock/telemetry';
import { generate, PostgresDialect } from 'kysely-codegen';
import { freePort } from '../../../libs/testing/src/free-port.ts';
import { migratedContexts } from '../../migrate/context-migrations.ts';

const file = 'database-schema.generated.ts';

/** A folder with migrations, from the project's root; its table types are generated into the same folder. */
interface TypedSource {
	readonly name: string;
	readonly folder: string;
}

export function sourceOf(context: string): TypedSource {
	return { name: context, folder: `services/${context}/src` };
}

/** The file with the types of the tables, from the project's root. */
function typesPath({ folder }: TypedSource): string {
	return `${folder}/${file}`;
}

/** The contexts whose table types are generated, and the template of new contexts. */
export function typedSources(): TypedSource[] {
	const root = new URL('../../../', import.meta.url);
	const contexts = migratedContexts().map(sourceOf);
	return [
		...contexts.filter((source) => existsSync(new URL(typesPath(source), root))),
		{ name: 'specimens', folder: 'scripts/new-context/template/src' },
	];
}

/** The types of the tables of a migrated database, after `camelCaseColumns` and `columnParsers`. */
async function databaseTypes(url: string): Promise<string> {
	await using db = createDatabase<never>({ url, applicationName: 'database-types', logger: silentLogger() });
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
		// Without pg-boss's schema `jobs`.
		includePattern: 'public.*',
		excludePattern: 'kysely_migration*',
		postprocess: async ({ metadata }) => {
			for (const table of metadata.tables) {
				table.name = camelCaseName(table.name);
				for (const column of table.columns) column.name = camelCaseName(column.name);
			}
			return metadata;
		},
	});
}

const root = new URL('../../..', import.meta.url);

/** Path and text of the types of each source, from temporary databases with its migrations. */
export async function migratedTypes(
	sources: readonly TypedSource[],
): Promise<(readonly [path: string, text: string])[]> {
	const logger = silentLogger();
	const server = await startEmbeddedPostgres({
		dataDir: await mkdtemp(join(await realpath(tmpdir()), 'paddock-database-types-')),
		port: await freePort(),
		logger,
		durable: false,
		temporary: true,
	});
	try {
		const types: (readonly [string, string])[] = [];
		for (const source of sources) {
			const { name, folder } = source;
			const url = await server.ensureDatabase(name, name);
			const db = createDatabase<never>({ url, applicationName: 'database-types', logger });
			const { migrations } = (await import(new URL(`${folder}/migrations.ts`, root).href)) as {
				migrations: Record<string, Migration>;
			};
			await migrateToLatest(db, migrations, logger);
			await db.destroy();
			types.push([typesPath(source), await databaseTypes(url)]);
		}
		return types;
	} finally {
		await server.stop();
	}
}
