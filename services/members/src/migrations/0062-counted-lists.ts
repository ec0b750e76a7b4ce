import { concurrentIndexes } from '@paddock/database';

const counted = 'include (status, suspension_ends_at, deleted_at)';

/** Filters that are counted from their index alone, since each list selects by status. */
export const countedLists = concurrentIndexes(
	{
		members_of_nationality_index: `members (nationality, sort_name, id) ${counted}`,
		members_of_fee_year_index: `members (fee_paid_for_year, sort_name, id) ${counted}`,
		members_of_type_index: `members (membership_type, sort_name, id) ${counted}`,
	},
	[],
	[
		'members_nationality_index',
		'members_fee_paid_for_year_index',
		'members_membership_type_index',
		// That of (updated_at, id) serves the same queries.
		'members_updated_at_index',
	],
);
