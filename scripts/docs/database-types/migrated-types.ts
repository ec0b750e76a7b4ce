import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type Migration, migrateToLatest } from '@paddock/database';
import { startEmbeddedPostgres } from '@paddock/database/embedded';
import { silentLogger } from '@paddock/telemetry';
import { freePort } from '../../../libs/testing/src/free-port.ts';
import { databaseTypes, type TypedSource, typesPath } from './database-types.ts';

const root = new URL('../../../', import.meta.url);

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
