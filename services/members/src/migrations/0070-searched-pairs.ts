import { concurrentIndexes } from '@paddock/database';

/**
 * A text and other filters in one index: the rows that have all of them are found without those that have one. Without fastupdate, as the
 * index that it replaces, a member is in it once it is written.
 */
export const searchedPairs = concurrentIndexes(
	{
		member_search_filters_index: `member_search using gin (
				search_text gin_trgm_ops, nationality, state_code, fee_paid_for_year
			) with (fastupdate = off)`,
		member_search_duplicates_index: 'member_search (id) where duplicate_suspected',
	},
	['create extension if not exists btree_gin'],
	['member_search_text_index'],
);
