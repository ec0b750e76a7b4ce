import { type Migration, searchLines } from '@paddock/database';
import { searchForms, withoutHiddenCharacters } from '@paddock/text';
import { type Kysely, sql } from 'kysely';

interface Named {
	readonly id: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly email: string | null;
	readonly membershipNumber: string;
	readonly federationNumber: string | null;
	readonly feiId: string | null;
}

/**
 * Removes invisible characters from names: they are refused now, and members cannot change their names, so that no change
 * of such a record would be accepted. A name of nothing else stays.
 */
export const visibleNames: Migration = {
	up: async (db) => {
		const changed = (await namesToRead(db)).flatMap((stored) => {
			const [firstName, lastName] = [stored.firstName, stored.lastName].map(
				(name) => withoutHiddenCharacters(name) || name,
			) as [string, string];
			if (firstName === stored.firstName && lastName === stored.lastName) return [];
			return [namesOf({ ...stored, firstName, lastName })];
		});
		const records = JSON.stringify(changed);
		await sql`
			with renamed as (
				select * from json_to_recordset(${records}::json)
				as r (id uuid, "firstName" text, "lastName" text, key text, sort text, search text)
			), searched as (
				update member_search set search_text = renamed.search, sort_name = renamed.sort
				from renamed where member_search.id = renamed.id
			)
			update members set
				first_name = renamed."firstName", last_name = renamed."lastName",
				name_key = renamed.key, sort_name = renamed.sort, version = version + 1, updated_at = now()
			from renamed where members.id = renamed.id`.execute(db);
	},
};

/** Those with characters other than the visible ones below U+0250; among these, only U+00AD is invisible. */
async function namesToRead(db: Kysely<unknown>): Promise<readonly Named[]> {
	const { rows } = await sql<Named>`
		select id, first_name as "firstName", last_name as "lastName", email, membership_number as "membershipNumber",
			federation_number as "federationNumber", fei_id as "feiId"
		from members where first_name || last_name ~ ${'[^ -~\u00a1-\u00ac\u00ae-\u024f]'}`.execute(db);
	return rows;
}

/** The derived names of this release; later changes of the service's own functions must not change this migration. */
function namesOf({ id, firstName, lastName, email, membershipNumber, federationNumber, feiId }: Named) {
	const plain = (name: string) => searchForms(name).at(-1) ?? '';
	const key = [firstName, lastName].map((name) =>
		plain(name)
			.replace(/[^\p{L}\p{N}]/gu, '')
			.replace(/([aou])e/g, '$1'),
	);
	const names = [`${lastName} ${firstName}`, `${firstName} ${lastName}`];
	const laterWords = [lastName, firstName].flatMap((name) =>
		[...name.matchAll(/[\s\-'’](?=\p{L})/gu)].map((gap) => name.slice(gap.index + 1)),
	);
	return {
		id,
		firstName,
		lastName,
		key: key.join(' '),
		sort: `${plain(lastName)}\t${plain(firstName)}`,
		search: `${searchLines(...names, ...laterWords, email, membershipNumber, federationNumber, feiId)}\n`,
	};
}
