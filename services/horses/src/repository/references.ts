import type { CountReferences } from '@paddock/service';
import { sql } from 'kysely';
import type { HorsesDeps } from '../deps.ts';

/**
 * Counts horses, including removed ones, by country of birth and UELN; and external owners in periods, in transfers of
 * any status, and in corrections.
 */
export const countCountryReferences: CountReferences<HorsesDeps> = async ({ db }, { codes }) => {
	const any = sql`any(${[...codes]}::text[])`;
	const named = sql`'$.**.countryCode ? (@ == $codes[*])', ${JSON.stringify({ codes })}::jsonb`;
	const { rows } = await sql<{ count: number }>`
		select (select count(*) from horses where country_of_birth = ${any} or left(ueln, 3) = ${any})
			+ (select count(*) from ownership_shares where party_country_code = ${any})
			+ (select count(*) from ownership_transfers where jsonb_path_exists(owners, ${named}))
			+ (select count(*) from ownership_corrections
				where jsonb_path_exists(before, ${named}) or jsonb_path_exists(after, ${named})) as count`.execute(
		db,
	);
	return rows[0]?.count ?? 0;
};

export const countClubReferences: CountReferences<HorsesDeps> = async ({ db }, { id }) => {
	const { count } = await db
		.selectFrom('horses')
		.select(({ fn }) => fn.countAll<number>().as('count'))
		.where('clubId', '=', id)
		.executeTakeFirstOrThrow();
	return count;
};
