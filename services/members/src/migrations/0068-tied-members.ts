import { concurrentIndexes } from '@paddock/database';

const filters =
	'membership_type, state_code, nationality, fee_paid_for_year, deleted_at, status, suspension_ends_at, updated_at';

/**
 * Members of one first name, or who joined on one day, are a list of their own in an order by two fields: thousands, which are sorted
 * by the other sort fields from the index alone.
 */
export const tiedMembers = concurrentIndexes(
	{
		members_first_name_order_index: `members (first_name collate "und-x-icu", id)
			include (${filters}, sort_name, membership_number, date_of_birth, join_date, created_at)`,
		members_join_date_order_index: `members (join_date, id)
			include (${filters}, sort_name, membership_number, date_of_birth, first_name, created_at)`,
	},
	[],
	['members_first_name_filters_index', 'members_join_date_filters_index'],
);
