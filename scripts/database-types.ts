import { mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, migrateToLatest } from '@paddock/database';
import { startEmbeddedPostgres } from '@paddock/database/embedded';
import { silentLogger } from '@paddock/telemetry';
import { freePort } from '../libs/testing/src/free-port.ts';
import { migrationsOf } from './contexts/context-modules.ts';
import { databaseTypes, databaseTypesPath, typedContexts } from './docs/database-types/database-types.ts';

// `npm run database-types` writes the types of each context's tables from a database with its migrations; `--check` only
// reports whether they are up to date.
const isCheck = process.argv.includes('--check');
const logger = silentLogger();

const server = await startEmbeddedPostgres({
	dataDir: await mkdtemp(join(await realpath(tmpdir()), 'paddock-database-types-')),
	port: await freePort(),
	logger,
	durable: false,
	temporary: true,
});
try {
	for (const context of typedContexts()) await generate(context);
} finally {
	await server.stop();
}

async function generate(name: string): Promise<void> {
	const url = await server.ensureDatabase(name, name);
	const db = createDatabase<never>({ url, applicationName: 'database-types', logger });
	await migrateToLatest(db, await migrationsOf({ name }), logger);
	await db.destroy();
	const path = databaseTypesPath(name);
	const target = new URL(`../${path}`, import.meta.url);
	const text = await databaseTypes(url);
	if (text === (await readFile(target, 'utf8'))) return console.log(`${path} matches the migrations.`);
	if (!isCheck) {
		await writeFile(target, text);
		return console.log(`Wrote ${path}.`);
	}
	console.error(
		`${path} does not match the migrations: run \`npm run database-types\` and commit the result.`,
	);
	process.exitCode = 1;
}
