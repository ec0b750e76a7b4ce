import { type Migration, searchLines } from '@paddock/database';
import { withoutHiddenCharacters } from '@paddock/text';
import { type Kysely, sql } from 'kysely';

interface Named {
	readonly id: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly email: string;
}

/**
 * Removes invisible characters from names: they are refused now, so that an account could not be saved with the names
 * that it has. A name of nothing else stays.
 */
export const visibleNames: Migration = {
	up: async (db) => {
		const changed = (await namesToRead(db)).flatMap((stored) => {
			const [firstName, lastName] = [stored.firstName, stored.lastName].map(
				(name) => withoutHiddenCharacters(name) || name,
			) as [string, string];
			if (firstName === stored.firstName && lastName === stored.lastName) return [];
			return [
				{ id: stored.id, firstName, lastName, search: searchTextOf({ ...stored, firstName, lastName }) },
			];
		});
		await sql`
			update users set
				first_name = renamed."firstName", last_name = renamed."lastName", search_text = renamed.search,
				version = version + 1, updated_at = now()
			from json_to_recordset(${JSON.stringify(changed)}::json)
				as renamed (id uuid, "firstName" text, "lastName" text, search text)
			where users.id = renamed.id`.execute(db);
	},
};

/** Those with characters other than the visible ones below U+0250; among these, only U+00AD is invisible. */
async function namesToRead(db: Kysely<unknown>): Promise<readonly Named[]> {
	const { rows } = await sql<Named>`
		select id, first_name as "firstName", last_name as "lastName", email
		from users where first_name || last_name ~ ${'[^ -~\u00a1-\u00ac\u00ae-\u024f]'}`.execute(db);
	return rows;
}

/** The search text of this release; later changes of the service's own function must not change this migration. */
function searchTextOf({ lastName, firstName, email }: Named): string {
	const names = [lastName, firstName];
	const laterWords = names.flatMap((name) => name.split(/[\s-]+/).slice(1));
	return searchLines(...names, ...laterWords, email);
}
