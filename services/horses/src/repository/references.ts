import { countOf } from '@paddock/database';
import type { CountReferences } from '@paddock/service';
import { sql } from 'kysely';
import type { HorsesDeps } from '../deps.ts';

/**
 * Counts horses, including removed ones, by country of birth and UELN; and external owners in periods, in transfers of
 * any status, and in corrections.
 */
export const countCountryReferences: CountReferences<HorsesDeps> = ({ db }, { codes }) => {
	const any = sql`any(${[...codes]}::text[])`;
	const named = sql`'$.**.countryCode ? (@ == $codes[*])', ${JSON.stringify({ codes })}::jsonb`;
	return countOf(
		db,
		sql`(select count(*) from horses where country_of_birth = ${any} or left(ueln, 3) = ${any})
			+ (select count(*) from ownership_shares where party_country_code = ${any})
			+ (select count(*) from ownership_transfers where jsonb_path_exists(owners, ${named}))
			+ (select count(*) from ownership_corrections
				where jsonb_path_exists(before, ${named}) or jsonb_path_exists(after, ${named}))`,
	);
};

export const countClubReferences: CountReferences<HorsesDeps> = ({ db }, { id }) =>
	countOf(db, sql`(select count(*) from horses where club_id = ${id}::uuid)`);
