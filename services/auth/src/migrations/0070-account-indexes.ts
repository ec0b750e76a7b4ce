import { concurrentIndexes } from '@paddock/database';

/** Demo accounts, which production refuses at its start; an index for each filter of the requests for links. */
export const accountIndexes = concurrentIndexes(
	{
		users_demo_index: 'users (id) where is_demo',
		member_links_status: 'member_links (status, created_at, id)',
		member_links_ends: "member_links (holds_until) where status = 'CONFIRMED'",
		member_links_number: 'member_links (membership_number text_pattern_ops)',
		member_links_number_parts: 'member_links using gin (membership_number gin_trgm_ops)',
	},
	['create extension if not exists pg_trgm'],
);
