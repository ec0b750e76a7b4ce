import { concurrentIndexes } from '@paddock/database';

/** Accounts of members by name, and links by time with the account whose name is compared, are read from the index alone. */
export const countedAccounts = concurrentIndexes(
	{
		users_by_name_index: `users (
			last_name collate "und-x-icu", first_name collate "und-x-icu", id
		) include (roles, status)`,
		member_links_by_creation: 'member_links (created_at, id) include (user_id, status, holds_until)',
	},
	[
		`alter table users set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)`,
		`alter table member_links set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)`,
	],
	['users_name_index', 'member_links_created'],
);
