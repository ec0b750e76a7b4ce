import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@paddock/telemetry';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { queryTimeLimit } from './bounded-pool.ts';
import { errorCode, errorText } from './error-code.ts';
import { isConflict, isSmall, pollMs, withTableLock } from './large-tables.ts';

/** An index by its name and what follows `on`: `members (join_date, id)`. */
type IndexDefinitions = Readonly<Record<string, string>>;

interface IndexMigration extends Migration {
	readonly indexes: IndexDefinitions;
	/** `alter table … set (…)`. */
	readonly settings: readonly string[];
	readonly replaced: readonly string[];
}

const buildMsMax = 4 * 3_600_000;
const settingPattern = /^\s*alter table (\w+) set \(([^)]+)\)\s*$/;

/**
 * A migration that adds indexes without blocking writes: those of large tables are built after the transaction of the
 * migrations by `buildIndexes`, which also completes what an earlier process did not. `before`: statements that the
 * indexes need, or statistics; they must not wait for locks of requests. Settings of a table among them, `alter table … set (…)`, wait
 * for an index build or vacuum of it, which may wait for the transaction: `applySettings` sets them. `replaced`: indexes of earlier
 * migrations that are dropped when all have been built, since these serve their queries.
 */
export function concurrentIndexes(
	indexes: IndexDefinitions,
	before: readonly string[] = [],
	replaced: readonly string[] = [],
): IndexMigration {
	const settings = before.filter((statement) => settingPattern.test(statement));
	return {
		indexes,
		settings,
		replaced,
		up: async (db) => {
			for (const statement of before) if (!settings.includes(statement)) await sql.raw(statement).execute(db);
			for (const [name, definition] of Object.entries(indexes))
				if (await isSmall(db, tableOf(definition))) await sql.raw(createIndex(name, definition)).execute(db);
		},
	};
}

// By an operator, or by the role's `statement_timeout` behind a pooler, which applies the limit below to another session.
const cancelled = '57014';

/**
 * Builds the indexes of the migrations that are missing or were left invalid. Other processes may do so at once. Without an
 * index whose build was cancelled the service is slower, but works.
 */
export async function buildIndexes<Schema>(
	db: Kysely<Schema>,
	migrations: Record<string, Migration>,
	logger: Logger,
): Promise<void> {
	const all = Object.values(migrations).filter(
		(migration): migration is IndexMigration => 'indexes' in migration,
	);
	const replaced = all.flatMap((migration) => migration.replaced);
	const wanted = all
		.flatMap(({ indexes }) => Object.entries(indexes))
		.filter(([name]) => !replaced.includes(name));
	const states = await statesOf(db, [...wanted.map(([name]) => name), ...replaced]);
	const missing = wanted.filter(([name]) => states.get(name) !== 'valid');
	const left = replaced.filter((name) => states.has(name));
	if (missing.length === 0 && left.length === 0) return;
	await queryTimeLimit.run(buildMsMax, () =>
		db.connection().execute(async (connection) => {
			await sql.raw(`set statement_timeout = ${buildMsMax}`).execute(connection);
			try {
				let built = 0;
				for (const [name, definition] of missing) {
					const startedMs = performance.now();
					const index = { index: name };
					try {
						await buildIndex(connection, name, definition);
					} catch (error) {
						if (errorCode(error) !== cancelled) throw error;
						logger.warn('index not built; the next start tries again', { ...index, error });
						continue;
					}
					built += 1;
					logger.info('index built', { ...index, durationMs: Math.round(performance.now() - startedMs) });
				}
				if (built === missing.length) await dropIndexes(connection, left, logger);
			} finally {
				await sql`reset statement_timeout`.execute(connection);
			}
		}),
	);
}

/** Another process may drop them at once, or a query may use them for long: they only cost writes a little until the next start. */
async function dropIndexes<Schema>(
	db: Kysely<Schema>,
	names: readonly string[],
	logger: Logger,
): Promise<void> {
	for (const name of names)
		try {
			await sql.raw(`drop index concurrently if exists ${name}`).execute(db);
		} catch (error) {
			logger.warn('replaced index not dropped; the next start tries again', { index: name, error });
		}
}

async function buildIndex<Schema>(db: Kysely<Schema>, name: string, definition: string): Promise<void> {
	for (;;) {
		const state = await stateOf(db, name);
		if (state === 'valid') return;
		if (state === 'building') {
			await delay(pollMs);
			continue;
		}
		// A build that ended during the first look was neither valid yet nor in progress any more.
		if (state === 'invalid' && (await stateOf(db, name)) !== 'invalid') continue;
		try {
			// The rest of a build that was interrupted; no query uses it, but every write maintains it.
			if (state === 'invalid') await sql.raw(`drop index concurrently if exists ${name}`).execute(db);
			await sql.raw(createIndex(name, definition, 'concurrently')).execute(db);
		} catch (error) {
			// Builds that begin at the same moment wait for each other's snapshots, and the server ends one of them.
			if (!isConflict(error) && !isOfCatalogue(error)) throw error;
			await delay(pollMs);
		}
	}
}

/** Whether two statements changed the same row of the catalogue: an internal error of the server, in English everywhere, without a code of its own. */
function isOfCatalogue(error: unknown): boolean {
	return (
		errorCode(error) === 'XX000' &&
		/^tuple concurrently (updated|deleted)$/.test(errorText(error, 'message') ?? '')
	);
}

async function stateOf<Schema>(db: Kysely<Schema>, name: string): Promise<IndexState | undefined> {
	return (await statesOf(db, [name])).get(name);
}

function createIndex(name: string, definition: string, mode: '' | 'concurrently' = ''): string {
	return `create index ${mode} if not exists ${name} on ${definition}`;
}

function tableOf(definition: string): string {
	return definition.split(' ', 1)[0] ?? '';
}

/**
 * Sets the storage settings of the migrations where a table has none or those of an earlier migration; an operator's own are left.
 * Those of a table that stays locked are left to the next start.
 */
export async function applySettings<Schema>(
	db: Kysely<Schema>,
	migrations: Record<string, Migration>,
	logger: Logger,
): Promise<void> {
	const wanted = settingsOf(migrations);
	const { rows } = await sql<{ table: string; options: readonly string[] | null }>`
		select relname as "table", reloptions as options from pg_class
		where relnamespace = current_schema()::regnamespace and relname = any (${[...wanted.keys()]}::text[])`.execute(
		db,
	);
	for (const { table, options } of rows) {
		const current = new Map((options ?? []).map((option) => option.split('=', 2) as [string, string]));
		const missing = [...(wanted.get(table) ?? [])].flatMap(([name, values]) => {
			const [value, last] = [current.get(name), values.at(-1)];
			return value !== last && (value === undefined || values.includes(value)) ? [`${name} = ${last}`] : [];
		});
		if (missing.length === 0) continue;
		const statement = `alter table ${table} set (${missing.join(', ')})`;
		try {
			await withTableLock(db, { table, mode: 'share update exclusive' }, [statement]);
		} catch (error) {
			if (!isConflict(error)) throw error;
			logger.warn('settings of a table not changed; the next start tries again', { table, error });
		}
	}
}

function settingsIn(migration: Migration | undefined): readonly string[] {
	return migration !== undefined && 'settings' in migration ? (migration as IndexMigration).settings : [];
}

/** By table and name, the values in the order of the migrations. */
function settingsOf(
	migrations: Record<string, Migration>,
): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
	const tables = new Map<string, Map<string, string[]>>();
	for (const name of Object.keys(migrations).toSorted())
		for (const statement of settingsIn(migrations[name])) {
			const [, table = '', options = ''] = settingPattern.exec(statement) ?? [];
			const known = tables.get(table) ?? new Map<string, string[]>();
			tables.set(table, known);
			for (const option of options.split(',')) {
				const [key = '', value = ''] = option.split('=').map((part) => part.trim());
				known.set(key, [...(known.get(key) ?? []), value]);
			}
		}
	return tables;
}

type IndexState = 'valid' | 'building' | 'invalid';

/** The states of the indexes that exist. */
async function statesOf<Schema>(
	db: Kysely<Schema>,
	names: readonly string[],
): Promise<ReadonlyMap<string, IndexState>> {
	const { rows } = await sql<{ name: string; state: IndexState }>`
		select relname as name, case
			when indisvalid then 'valid'
			when exists (select from pg_stat_progress_create_index where index_relid = indexrelid) then 'building'
			else 'invalid' end as state
		from pg_index join pg_class on pg_class.oid = indexrelid
		where relnamespace = current_schema()::regnamespace and relname = any (${[...names]}::text[])`.execute(
		db,
	);
	return new Map(rows.map(({ name, state }) => [name, state]));
}
