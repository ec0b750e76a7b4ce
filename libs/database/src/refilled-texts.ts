import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Columns of a table that are computed from texts of the same record. */
interface Refill {
	readonly table: string;
	/** The table with the texts, if another one; records have the same id. */
	readonly from?: string;
	readonly read: readonly [string, ...string[]];
	/** `texts` in the order of `read`; the result in the order of `write`. */
	readonly write: readonly [string, ...string[]];
	readonly compute: (...texts: (string | null)[]) => readonly (string | null)[];
}

const batchRows = 2_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Computes folded text of stored records again, after a change of the folding. It uses the functions of the version that
 * runs it: a later change of the folding adds a migration of its own.
 */
export function refilledTexts(...refills: readonly Refill[]): Migration {
	return {
		up: async (db) => {
			for (const refill of refills) {
				let after: string | undefined = firstId;
				while (after !== undefined) after = await refillBatch(db, refill, after);
			}
		},
	};
}

/** The last id of the batch; undefined after the last batch. */
async function refillBatch(
	db: Kysely<unknown>,
	{ table, from = table, read, write, compute }: Refill,
	after: string,
): Promise<string | undefined> {
	const texts = sql.join(read.map((column) => sql`${sql.ref(column)}::text`));
	const { rows } = await sql<{ id: string; texts: (string | null)[] }>`
		select id, array[${texts}] as texts from ${sql.table(from)}
		where id > ${after}::uuid order by id limit ${batchRows} for no key update`.execute(db);
	const records = rows.map((row) => ({ id: row.id, values: compute(...row.texts) }));
	const target = (column: string) => sql.ref(`${table}.${column}`);
	const value = (at: number) => sql`filled."values"[${sql.lit(at + 1)}]`;
	await sql`
		update ${sql.table(table)} set ${sql.join(write.map((column, at) => sql`${sql.ref(column)} = ${value(at)}`))}
		from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as filled (id uuid, "values" text[])
		where ${target('id')} = filled.id
			and (${sql.join(write.map(target))}) is distinct from (${sql.join(write.map((_, at) => value(at)))})`.execute(
		db,
	);
	return rows.length < batchRows ? undefined : rows.at(-1)?.id;
}

/** Folds letters in columns of folded text, by table, that `searchForms` had left as they are: `oðinn` → `odinn`. */
export function foldedLetters(columns: Readonly<Record<string, readonly [string, ...string[]]>>): Migration {
	return {
		up: async (db) => {
			for (const [table, names] of Object.entries(columns)) {
				const refs = names.map((name) => sql.ref(name));
				const changes = refs.map(
					(ref) => sql`${ref} = replace(translate(${ref}, 'ðħ‘ʼ\u2010\u2011', 'dh''''--'), 'þ', 'th')`,
				);
				await sql`
					update ${sql.table(table)} set ${sql.join(changes)}
					where concat(${sql.join(refs)}) ~ '[ðþħ‘ʼ\u2010\u2011]'`.execute(db);
			}
		},
	};
}
