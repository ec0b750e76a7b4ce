import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * Clears the clubs of horses that an owner left by a transfer before a transfer ended the rights of that owner's club.
 * Migration 0008 came with that rule: a horse written since has the club that the transfer left or that its writer
 * sent. The present owners name a club again.
 */
export const formerClubs: Migration = {
	up: async (db) => {
		await sql`
			with present as (
				select distinct on (horse_id) id, horse_id from ownership_periods order by horse_id, valid_from desc
			), gone as (
				select present.horse_id
				from present
				join ownership_periods period on period.horse_id = present.horse_id and period.id <> present.id
				join ownership_shares former on former.period_id = period.id
				where not exists (
					select from ownership_shares share
					where share.period_id = present.id
						and (share.member_id, share.party_name, share.party_country_code)
							is not distinct from (former.member_id, former.party_name, former.party_country_code)
				)
			)
			update horses set club_id = null, updated_at = now(), version = version + 1
			where club_id is not null
				and id in (select horse_id from gone)
				and updated_at < (select timestamp::timestamptz from kysely_migration where name = '0008-death-reports')
		`.execute(db);
	},
};
