import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { migrateDatabase } from '@paddock/database';
import { resolveSecretFiles } from '@paddock/service/secret-files';
import { violationText } from '@paddock/service/setting-violation';
import { type Logger, silentLogger, standardOutput } from '@paddock/telemetry';
import { migratedContexts, migrationsOf } from './migrate/context-migrations.ts';

process.title = 'paddock migrate';
// A full disk or a closed pipe behind the output stops nothing.
standardOutput();

// `npm run migrate -- [CONTEXT …] [--databases DATABASES.json]`: migrates the databases of the named contexts, or of all.
// The first of these that is given: the file `{ "<context>": "<DATABASE_URL>", … }`; for one context
// MIGRATION_DATABASE_URL, then DATABASE_URL; the databases of `npm start`, running or not.
const usage = 'npm run migrate -- [CONTEXT …] [--databases DATABASES.json]';

type Urls = ReadonlyMap<string, string>;

const { names, file } = readArguments();
const url = readUrl();
if (url !== undefined && file === undefined) await migrateOne(url);
// Loaded only here: the image for containers has neither.
else if (!existsSync(new URL('start/', import.meta.url))) {
	exit('In the image, set DATABASE_URL to the database of one context; --databases is not available');
} else {
	const { onDatabases } = await import('./start/on-databases.ts');
	await onDatabases('migrate', file, migrateAll);
}

function readArguments(): { names: readonly string[]; file: string | undefined } {
	try {
		const options = { databases: { type: 'string' } } as const;
		const { values, positionals } = parseArgs({ allowPositionals: true, options });
		const known = migratedContexts();
		const unknown = positionals.filter((name) => !known.includes(name));
		if (unknown.length > 0) return exit(`${unknown.join(', ')}: not a context with a database`);
		return { names: positionals, file: values.databases };
	} catch (error) {
		return exit(error instanceof Error ? error.message : String(error));
	}
}

function readUrl(): string | undefined {
	try {
		return urlOfEnvironment();
	} catch (error) {
		return exit(reasonOf(error));
	}
}

function exit(reason: string): never {
	console.error(`${reason}\n${usage}`);
	process.exit(2);
}

async function migrateOne(databaseUrl: string): Promise<void> {
	const [context] = names;
	if (context === undefined || names.length > 1)
		return exit('DATABASE_URL is the database of one context: name it');
	try {
		await migrate(context, databaseUrl);
	} catch (error) {
		console.error(`${context}: ${reasonOf(error)}`);
		process.exitCode = 1;
	}
}

async function migrateAll(urls: Urls, signal: AbortSignal): Promise<void> {
	const { StartError } = await import('./start/start-error.ts');
	for (const context of names.length > 0 ? names : urls.keys()) {
		signal.throwIfAborted();
		const found = urls.get(context);
		if (found === undefined) throw new StartError(`the database of ${context} is not listed`);
		await migrate(context, found).catch((cause: unknown) => {
			throw new StartError(`${context}: ${reasonOf(cause)}`, { cause });
		});
	}
}

async function migrate(context: string, databaseUrl: string): Promise<void> {
	const applied = await migrateDatabase({
		url: databaseUrl,
		applicationName: 'migrate',
		logger: warningsOf(context),
		migrations: await migrationsOf(context),
	});
	console.log(`${context}: ${applied.length === 0 ? 'up to date' : applied.join(', ')}`);
}

/** Prints warnings, such as that the schema is newer; applied migrations are printed by the caller. */
function warningsOf(context: string): Logger {
	const warn = (message: string, fields: object) =>
		console.error(`${context}: ${message} ${JSON.stringify(fields)}`);
	return Object.assign(silentLogger(), { warn });
}

function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** The database of one context from MIGRATION_DATABASE_URL or DATABASE_URL. @throws Error with the files that can't be used */
function urlOfEnvironment(): string | undefined {
	const { env, violations } = resolveSecretFiles(['MIGRATION_DATABASE_URL', 'DATABASE_URL'], process.env);
	if (violations.length > 0) throw new Error(violations.map(violationText).join('\n'));
	const { MIGRATION_DATABASE_URL: direct, DATABASE_URL: url } = env;
	return direct || url || undefined;
}
