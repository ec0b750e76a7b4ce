import { concurrentIndexes } from '@paddock/database';

/** The search of accounts, and an index for each sort of their list. */
export const listIndexes = concurrentIndexes(
	{
		users_search_text_index: 'users using gin (search_text gin_trgm_ops) with (fastupdate = off)',
		users_roles_index: 'users using gin (roles)',
		users_status_index: 'users (status, id)',
		users_name_index: 'users (last_name collate "und-x-icu", first_name collate "und-x-icu", id)',
		users_first_name_index: 'users (first_name collate "und-x-icu", id)',
		users_created_at_index: 'users (created_at, id)',
		users_changed_index: 'users (updated_at, id)',
		users_last_login_at_index: "users ((coalesce(last_login_at, '-infinity')), id)",
	},
	['create extension if not exists pg_trgm'],
);
