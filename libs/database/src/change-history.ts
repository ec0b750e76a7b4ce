import type { ChangeAuthor, Page, PageRequest } from '@paddock/contract';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { camelCaseName, columnName } from './column-parsers.ts';
import type { Queryable } from './database.ts';
import { isOneOf } from './list-conditions.ts';
import { listPage } from './list-page.ts';
import { currentAuthor, systemAuthor } from './transaction-author.ts';

/** A table whose rows are records, or parts of records, with a history. */
interface RecordedTable {
	/** Shown as `recordType`, e.g. `MEMBER`. */
	readonly type: string;
	/** The id of the record to whose history a row belongs: an expression over the row, `id` by default. */
	readonly record?: string;
	/** Columns that are not stored: what is computed from other columns. */
	readonly without?: readonly string[];
	/** The only columns that are stored, for a table with secrets: a new column is left out until it is named. */
	readonly only?: readonly string[];
}

/** Columns that change with each write and say nothing. */
const neverStored = ['version', 'updated_at', 'search_text'];

interface ChangesTable {
	changes: ChangeRow;
}

interface ChangeRow {
	readonly id: string;
	readonly record_id: string;
	readonly record_type: string;
	readonly row_id: string | null;
	readonly operation: 'CREATED' | 'CHANGED' | 'DELETED';
	readonly changed_at: Date;
	readonly author: ChangeAuthor | null;
	readonly before: Readonly<Record<string, unknown>> | null;
	readonly after: Readonly<Record<string, unknown>> | null;
}

/**
 * A migration that records each change of these tables (name in the database → table) in `changes`, in the transaction of
 * the change and whoever makes it: a trigger can't be forgotten by a use case. See docs/decisions/0076.
 */
export function changeHistory(tables: Readonly<Record<string, RecordedTable>>): Migration {
	return {
		up: async (db) => {
			await sql`
				create table changes (
					id uuid primary key default gen_random_uuid(),
					record_id text not null,
					record_type text not null,
					row_id text,
					operation text not null check (operation in ('CREATED', 'CHANGED', 'DELETED')),
					changed_at timestamptz not null default clock_timestamp(),
					author jsonb,
					before jsonb,
					after jsonb
				)`.execute(db);
			await sql`create index changes_record_index on changes (record_id, changed_at, id)`.execute(db);
			await sql`create index changes_changed_at_index on changes using brin (changed_at)`.execute(db);
			await sql.raw(recordChange).execute(db);
			await recordChangesOf(db, tables);
		},
	};
}

/** Records the changes of further tables: for a later migration. */
export async function recordChangesOf(
	db: Kysely<unknown>,
	tables: Readonly<Record<string, RecordedTable>>,
): Promise<void> {
	for (const [table, { type, record = 'id', without = [], only }] of Object.entries(tables)) {
		const hidden = `{${[...neverStored, ...without].join(',')}}`;
		const shown = only === undefined ? sql`` : sql`, ${sql.lit(`{${only.join(',')}}`)}`;
		await sql`
			create trigger record_change after insert or update or delete on ${sql.table(table)}
			for each row execute function record_change(${sql.lit(type)}, ${sql.lit(record)}, ${sql.lit(hidden)}${shown})`.execute(
			db,
		);
	}
}

// Of an insertion only the author is stored: the record and its later changes have the values.
const recordChange = `
	create function record_change() returns trigger language plpgsql set search_path from current as $$
	declare
		changed record;
		record_id text;
		was jsonb;
		is_now jsonb;
	begin
		if current_setting('paddock.history', true) = 'off' then return null; end if;
		if tg_op = 'DELETE' then changed := old; else changed := new; end if;
		if tg_op = 'DELETE' then
			select jsonb_object_agg(o.key, o.value) into was from jsonb_each(to_jsonb(old) - tg_argv[2]::text[]) o
			where tg_nargs < 4 or o.key = any (tg_argv[3]::text[]);
		end if;
		if tg_op = 'UPDATE' then
			select jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, n.value) into was, is_now
			from jsonb_each(to_jsonb(old) - tg_argv[2]::text[]) o
			join jsonb_each(to_jsonb(new)) n on n.key = o.key and n.value is distinct from o.value
			where tg_nargs < 4 or o.key = any (tg_argv[3]::text[]);
			if was is null then return null; end if;
		end if;
		if tg_argv[1] = 'id' then
			record_id := changed.id;
		else
			execute 'select (' || tg_argv[1] || ')::text from (select ($1).*) as changed' using changed into record_id;
		end if;
		-- A part that is deleted with its record, whose own deletion is recorded.
		if record_id is null then return null; end if;
		insert into changes (record_id, record_type, row_id, operation, author, before, after) values (
			record_id,
			tg_argv[0],
			to_jsonb(changed) ->> 'id',
			case tg_op when 'INSERT' then 'CREATED' when 'UPDATE' then 'CHANGED' else 'DELETED' end,
			nullif(current_setting('paddock.author', true), '')::jsonb,
			was,
			is_now
		);
		return null;
	end
	$$`;

/** Names the author of the changes that follow, including those of its own statement: for a transaction with several. */
export const namingAuthor = (author: ChangeAuthor = currentAuthor()) =>
	sql`set_config('paddock.author', ${JSON.stringify(author)}, true)`;

async function nameAuthor<Schema>(transaction: Queryable<Schema>, author: ChangeAuthor): Promise<void> {
	await sql`select ${namingAuthor(author)}`.execute(transaction);
}

/** Does work that follows from a request, but concerns records of others: the caller is not its author. */
export async function asSystem<Schema, Result>(
	transaction: Queryable<Schema>,
	work: () => Promise<Result>,
): Promise<Result> {
	const { requestId } = currentAuthor();
	await nameAuthor(transaction, { ...systemAuthor, ...(requestId === undefined ? {} : { requestId }) });
	const result = await work();
	await nameAuthor(transaction, currentAuthor());
	return result;
}

/** One change of a record. */
export interface Change {
	readonly id: string;
	readonly recordType: string;
	/** The changed part; the record's own id if the record itself changed. */
	readonly recordId: string;
	readonly operation: ChangeRow['operation'];
	readonly changedAt: string;
	readonly author: ChangeAuthor | null;
	/** Names as in the database, in camel case. */
	readonly fields: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[];
}

/**
 * The changes of one record, newest first. `shown`: names of fields as in `Change`; CHANGED ones without any of these are left out, and
 * those whose values were erased.
 */
export async function listChanges<Schema>(
	db: Queryable<Schema>,
	recordId: string,
	request: PageRequest,
	shown?: readonly string[],
): Promise<Page<Change>> {
	const changes = changesOf(db);
	let ofRecord = changes.selectFrom('changes').where('record_id', '=', recordId);
	if (shown !== undefined) {
		const columns = shown.map(columnName);
		ofRecord = ofRecord.where(sql<boolean>`(operation <> 'CHANGED' or before ?| ${columns}::text[])`);
	}
	return listPage(changes, ofRecord, {
		request,
		sort: undefined,
		order: { defaultSort: ['-changed_at'], indexed: ['changed_at'] },
		find: async (ids) => {
			const rows = await changes.selectFrom('changes').selectAll().where(isOneOf('id', ids)).execute();
			return rows.map(toChange);
		},
	});
}

function toChange(row: ChangeRow): Change {
	const { before, after } = row;
	return {
		id: row.id,
		recordType: row.record_type,
		recordId: row.row_id ?? row.record_id,
		operation: row.operation,
		changedAt: row.changed_at.toISOString(),
		author: row.author,
		fields: Object.entries(before ?? {}).map(([name, value]) => ({
			name: camelCaseName(name),
			before: value,
			after: after?.[name] ?? null,
		})),
	};
}

/** Deletes changes that are older than the retention allows, if the context records any, a part at a time so that no lock is held for long. */
export async function deleteChangesBefore<Schema>(db: Queryable<Schema>, limit: Date): Promise<void> {
	const { rows: tables } = await sql<{
		exists: boolean;
	}>`select to_regclass('changes') is not null as exists`.execute(db);
	while (tables[0]?.exists === true) {
		const { rows } = await sql<{ deleted: number }>`
			with expired as (
				delete from changes where ctid = any (array(
					select ctid from changes where changed_at < ${limit} limit ${deletedAtOnce}
				)) returning 1
			) select count(*)::int as deleted from expired`.execute(db);
		if ((rows[0]?.deleted ?? 0) < deletedAtOnce) return;
	}
}

const deletedAtOnce = 5_000;

/** Removes the values of these records' changes, when a person's data are erased; that something changed stays. */
export async function eraseChanges<Schema>(
	db: Queryable<Schema>,
	recordIds: readonly string[],
): Promise<void> {
	await sql`
		update changes set before = null, after = null, author = author - 'reason'
		where record_id = any (${recordIds}::text[])`.execute(db);
}

// Kysely can't name a table of a schema that is a type parameter.
function changesOf<Schema>(db: Queryable<Schema>): Kysely<ChangesTable> {
	return db.withoutPlugins() as unknown as Kysely<ChangesTable>;
}
