import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

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
