import { concurrentIndexes, type Migration, recordChangesOf } from '@paddock/database';
import { sql } from 'kysely';

const indexes = concurrentIndexes({
	member_links_member_club: 'member_links (member_club_id, created_at, id)',
	member_links_member: 'member_links (member_id)',
});

/**
 * The member's home club as last read from the members context, by which links are listed. `club_id` does not change: it is the club
 * at the confirmation, for which a contact has rights. Not part of the history, as it changes without the link.
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
		await sql`update member_links set member_club_id = club_id where club_id is not null`.execute(db);
		await indexes.up(db);
	},
};
