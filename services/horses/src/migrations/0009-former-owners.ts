import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * Ends the rights of sellers whose transfers were made before a transfer ended them: a responsible person who owned the horse
 * before, and not in the present period, is replaced by the first present owner who is a member, and the club of that time is
 * cleared. The present owners name others again.
 */
export const formerOwners: Migration = {
	up: async (db) => {
		await sql`
			with present as (
				select distinct on (horse_id) id, horse_id from ownership_periods order by horse_id, valid_from desc
			)
			update horses set
				responsible_member_id = (
					select share.member_id from present join ownership_shares share on share.period_id = present.id
					where present.horse_id = horses.id and share.member_id is not null
					order by share.position limit 1
				),
				club_id = null,
				updated_at = now(),
				version = version + 1
			where exists (
				select from ownership_periods period join ownership_shares share on share.period_id = period.id
				where period.horse_id = horses.id and share.member_id = horses.responsible_member_id
			) and not exists (
				select from present join ownership_shares share on share.period_id = present.id
				where present.horse_id = horses.id and share.member_id = horses.responsible_member_id
			)`.execute(db);
	},
};
