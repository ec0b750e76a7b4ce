import { apiError } from '@paddock/contract';
import { type Database, eraseChanges, inTransaction, type Queryable } from '@paddock/database';
import { id, type Route, routesWith } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

/** A person: an account, and the member that it belongs to. */
export interface Person {
	readonly userId: string;
	readonly memberId: string | null;
}

/** Rows of a table about a person in one role, such as the rider of an entry. */
export interface PersonalTable<Column extends string> {
	/** What the data are for. */
	readonly purpose: string;
	/** Legal ground, GDPR article 6(1). */
	readonly ground: 'contract' | 'consent' | 'legitimate interests' | 'legal obligation';
	/** How long the rows are stored. */
	readonly storedFor: string;
	/** Selects the rows about a person. */
	readonly of: (person: Person) => RawBuilder<boolean>;
	/** Personal columns that an export contains. */
	readonly exported: readonly Column[];
	/** Personal columns of which an export contains a part, such as the person's own item of a list. */
	readonly exportedAs?: Partial<Record<Column, (person: Person) => RawBuilder<unknown>>>;
	/** Personal columns that an export leaves out, each with the reason. */
	readonly withheld?: Partial<Record<Column, string>>;
	/** Columns that say nothing about a person. */
	readonly impersonal?: readonly Column[];
	/**
	 * `delete` removes the rows; `changes`, in a change history, the values of all changes of the records; otherwise the new values of columns, which must be the same when they are set again.
	 */
	readonly erasure: 'delete' | 'changes' | Partial<Record<Column, (person: Person) => RawBuilder<unknown>>>;
	/** Why rows and their other personal columns stay after an erasure. */
	readonly kept?: string;
}

/**
 * Every table of a context: the roles of people in it, or the reason for which it has no personal data. The first role
 * names every column once; a test compares them with the database, so that a new column has to be declared.
 */
export type PersonalData<Tables> = {
	readonly [Table in keyof Tables]:
		| readonly [PersonalTable<ColumnOf<Tables[Table]>>, ...PersonalTable<ColumnOf<Tables[Table]>>[]]
		| string;
};

type ColumnOf<Row> = Extract<keyof Row, string>;

const exportedTable = z
	.strictObject({
		table: z.string().describe('Name of the table.'),
		purpose: z.string().describe('What the data are for.'),
		rows: z.array(z.record(z.string(), z.unknown())).describe('The rows about the person.'),
	})
	.meta({ id: 'ExportedTable', description: 'The rows of one table about a person, in one role.' });

export const personExport = z
	.strictObject({ tables: z.array(exportedTable).describe('Tables, once for each role of the person.') })
	.meta({ id: 'PersonExport' });

const erasedTable = z
	.strictObject({
		table: z.string().describe('Name of the table.'),
		outcome: z.enum(['DELETED', 'ANONYMISED', 'KEPT']).meta({
			id: 'ErasureOutcome',
			description:
				'DELETED: the rows. ANONYMISED: the values that name the person. KEPT: the rows as they were.',
		}),
		rows: z.int().min(0).describe('Number of rows.'),
		kept: z.string().nullable().describe('What stays, and why; null if nothing does.'),
	})
	.meta({ id: 'ErasedTable', description: 'What an erasure did in one table, in one role of the person.' });

export const personErasure = z
	.strictObject({ tables: z.array(erasedTable).describe('Tables, once for each role of the person.') })
	.meta({ id: 'PersonErasure' });

type ErasedTable = z.output<typeof erasedTable>;

const personScopes = { export: 'persons:export', erase: 'persons:erase' } as const;

/** Rows of an export of one table; more are refused, see `exportOf`. */
const rowsMax = 100_000;

/** @throws ApiError OVERLOADED for more rows than one export may have; none may be left out silently. */
async function exportOf<Schema>(
	db: Queryable<Schema>,
	table: string,
	{ of, exported, exportedAs = {}, purpose }: PersonalTable<string>,
	person: Person,
): Promise<z.output<typeof exportedTable>> {
	const parts = Object.entries(exportedAs).flatMap(([column, part]) =>
		part === undefined ? [] : [sql`${part(person)} as ${sql.ref(column)}`],
	);
	const columns = [...exported.map((column) => sql`${sql.ref(column)}`), ...parts];
	const { rows } = await sql<Record<string, unknown>>`
		select ${sql.join(columns)} from ${sql.table(table)} where ${of(person)} limit ${rowsMax + 1}`.execute(
		db,
	);
	if (rows.length > rowsMax) throw apiError('OVERLOADED', { retryAfterMs: 60_000 });
	return { table, purpose, rows };
}

async function eraseFrom<Schema>(
	db: Queryable<Schema>,
	table: string,
	{ of, erasure, ...reason }: PersonalTable<string>,
	person: Person,
): Promise<ErasedTable> {
	const kept = reason.kept ?? null;
	const where = of(person);
	if (erasure === 'delete') {
		const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${where}`.execute(db);
		return { table, outcome: 'DELETED', rows: Number(numAffectedRows), kept };
	}
	if (erasure === 'changes') {
		const records = await sql<{ id: string }>`
			select distinct record_id as id from ${sql.table(table)} where ${where}`.execute(db);
		const ids = records.rows.map(({ id }) => id);
		await eraseChanges(db, ids);
		return { table, outcome: 'ANONYMISED', rows: ids.length, kept };
	}
	const values = Object.entries(erasure).flatMap(([column, value]) =>
		value === undefined ? [] : [sql`${sql.ref(column)} = ${value(person)}`],
	);
	if (values.length === 0) {
		const counted = await sql<{ count: number }>`
			select count(*)::int as count from ${sql.table(table)} where ${where}`.execute(db);
		return { table, outcome: 'KEPT', rows: counted.rows[0]?.count ?? 0, kept };
	}
	const { numAffectedRows = 0n } = await sql`
		update ${sql.table(table)} set ${sql.join(values)} where ${where}`.execute(db);
	return { table, outcome: 'ANONYMISED', rows: Number(numAffectedRows), kept };
}

function tablesOf(data: object): readonly (readonly [string, PersonalTable<string>])[] {
	return Object.entries(data as Readonly<Record<string, string | readonly PersonalTable<string>[]>>).flatMap(
		([name, roles]) => (typeof roles === 'string' ? [] : roles.map((role) => [name, role] as const)),
	);
}

export async function exportPerson<Schema>(
	db: Queryable<Schema>,
	data: object,
	person: Person,
): Promise<z.output<typeof personExport>> {
	const tables = [];
	for (const [name, table] of tablesOf(data)) tables.push(await exportOf(db, name, table, person));
	return { tables };
}

/** Anonymises the person in the transaction. Idempotent: a job may repeat it. @returns what was done and kept, and why */
export async function erasePerson<Schema>(
	transaction: Queryable<Schema>,
	data: object,
	person: Person,
): Promise<z.output<typeof personErasure>> {
	// It would record the values that are erased; `changes` is a table like the others.
	await sql`select set_config('paddock.history', 'off', true)`.execute(transaction);
	const tables = [];
	for (const [name, table] of tablesOf(data)) tables.push(await eraseFrom(transaction, name, table, person));
	return { tables };
}

const shared = {
	params: z.strictObject({ id }),
	query: z.strictObject({ member: id.optional() }),
} as const;

/** The internal routes by which auth collects and erases the data of a person; the id is the account's. */
export function personRoutes<Schema, Deps extends { readonly db: Database<Schema> }>(
	data: object,
): readonly Route<Deps>[] {
	const route = routesWith<Deps>('internal');
	return [
		route({
			...shared,
			method: 'get',
			path: '/internal/persons/{id}/export',
			operationId: 'exportPerson',
			readers: 'services',
			summary: 'Everything that this context stores about a person',
			access: { scope: personScopes.export },
			output: personExport,
			message: 'Person',
			cacheControl: 'no-store',
			handler: ({ params, query }, { db }) =>
				exportPerson(db, data, { userId: params.id, memberId: query.member ?? null }),
		}),
		route({
			...shared,
			method: 'post',
			writers: 'services',
			path: '/internal/persons/{id}/erase',
			operationId: 'erasePerson',
			summary: 'Anonymise a person; repeating it changes nothing',
			access: { scope: personScopes.erase },
			output: personErasure,
			message: 'Erased',
			handler: ({ params, query }, { db }) =>
				inTransaction(db, (transaction) =>
					erasePerson(transaction, data, { userId: params.id, memberId: query.member ?? null }),
				),
		}),
	];
}
