import { concurrentIndexes, type Migration, recordChangesOf } from '@paddock/database';
import { sql } from 'kysely';

const indexes = concurrentIndexes({
	member_links_member_club: 'member_links (member_club_id, created_at, id)',
	member_links_member: 'member_links (member_id)',
});

/**
 * The member's home club as last read from the members context, by which links are listed. `club_id` does not change: it is the club
 * at the confirmation, for which a contact has rights. Not part of the history, as it changes without the link. The refresh of the
 * clubs fills present rows, in batches; a trigger those of instances of the previous version.
 */
export const memberClubs: Migration = {
	...indexes,
	up: async (db) => {
		await sql`alter table member_links add column member_club_id uuid`.execute(db);
		await sql`drop trigger record_change on member_links`.execute(db);
		await recordChangesOf(db, {
			member_links: {
				type: 'MEMBER_LINK',
				record: 'user_id',
				without: ['membership_number', 'date_of_birth', 'member_club_id'],
			},
		});
		await sql`
			create function fill_member_club() returns trigger language plpgsql as $$
			begin
				new.member_club_id := new.club_id;
				return new;
			end $$`.execute(db);
		await sql`
			create trigger member_links_member_club before insert on member_links
			for each row when (new.member_club_id is null) execute function fill_member_club()`.execute(db);
		await indexes.up(db);
	},
};
