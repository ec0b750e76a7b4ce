import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDatabase, type Migration, migrateToLatest, withClient } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { from as copyFrom } from 'pg-copy-streams';

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

const batchRows = 2_000;

/**
 * Fills a new database with the schema of the migrations. Indexes that no constraint needs are dropped during the load
 * and built afterwards; the constraints are checked for each row.
 */
export async function fillDatabase(
	url: string,
	migrations: Record<string, Migration>,
	load: (client: Client) => Promise<void>,
): Promise<void> {
	const db = createDatabase<unknown>({
		url,
		applicationName: 'bench',
		logger: silentLogger(),
		statementTimeoutMs: 600_000,
	});
	await migrateToLatest(db, migrations, silentLogger()).finally(() => db.destroy());
	await withClient(url, async (client) => {
		// Records that were never changed have no history.
		await client.query("set paddock.history = 'off'");
		await client.query(
			`set statement_timeout = 0; set maintenance_work_mem = '512MB'; set synchronous_commit = off`,
		);
		const { rows } = await client.query<{ name: string; definition: string }>(plainIndexes);
		for (const { name } of rows) await client.query(`drop index ${name}`);
		await load(client);
		for (const { definition } of rows) await client.query(definition);
		// In production autovacuum does this minutes after such a load.
		await client.query('vacuum analyze');
	});
}

const plainIndexes = `
	select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
	from pg_index join pg_class on pg_class.oid = indrelid
	where relnamespace = 'public'::regnamespace and not indisunique and not indisprimary
		and not exists (select from pg_constraint where conindid = indexrelid)`;

/** Writes the rows by COPY. `rowOf`: the row or rows of an index. */
export async function copyRows(
	client: Client,
	table: string,
	count: number,
	rowOf: (index: number) => object | readonly object[],
): Promise<void> {
	let first: object | undefined;
	for (let index = 0; index < count && first === undefined; index += 1) first = [rowOf(index)].flat()[0];
	if (first === undefined) return;
	const columns = Object.keys(first);
	const names = columns.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
	function* chunks(): Generator<string> {
		for (let from = 0; from < count; from += batchRows) {
			let text = '';
			for (let index = from; index < Math.min(count, from + batchRows); index += 1)
				for (const row of [rowOf(index)].flat())
					text += `${columns.map((name) => copyText(Reflect.get(row, name))).join('\t')}\n`;
			yield text;
		}
	}
	await pipeline(
		Readable.from(chunks()),
		client.query(copyFrom(`copy ${table} (${names.map((name) => `"${name}"`).join(', ')}) from stdin`)),
	);
}

/** A value in COPY's text format. */
function copyText(value: unknown): string {
	if (value === null || value === undefined) return '\\N';
	if (typeof value === 'boolean') return value ? 't' : 'f';
	if (value instanceof Date) return value.toISOString();
	if (Array.isArray(value))
		return escaped(`{${value.map((item) => JSON.stringify(String(item))).join(',')}}`);
	return escaped(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function escaped(text: string): string {
	return text.replaceAll(
		/[\\\n\r\t]/g,
		(special) => `\\${{ '\n': 'n', '\r': 'r', '\t': 't' }[special] ?? '\\'}`,
	);
}
