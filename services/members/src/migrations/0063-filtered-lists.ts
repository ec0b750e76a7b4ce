import { concurrentIndexes } from '@paddock/database';

/** All that a list filters by or sorts by, so that it is read from the index alone. */
const filters = 'membership_type, state_code, nationality, fee_paid_for_year';
const times = 'suspension_ends_at, created_at, updated_at';
const keys = `first_name, membership_number, date_of_birth, join_date, ${times}`;

function others(column: string): string {
	const without = filters.split(', ').filter((each) => each !== column);
	return `members (${column}, sort_name, id) include (${without.join(', ')}, status, deleted_at, ${keys})`;
}

/**
 * Two filters, in any order, are answered by the index of one of them. Members who are not active are few: with any other
 * filter, or a text, they are read from indexes of their own, which members who are active are not in.
 */
export const filteredLists = concurrentIndexes(
	{
		members_by_type_index: others('membership_type'),
		members_by_state_index: others('state_code'),
		members_by_nationality_index: others('nationality'),
		members_by_fee_year_index: others('fee_paid_for_year'),
		members_not_active_index: `members (status, sort_name, id) include (${filters}, ${keys})
			where deleted_at is null and status <> 'ACTIVE'`,
		members_inactive_index: `members (sort_name, id) include (${filters}, ${keys}) where deleted_at is not null`,
		member_search_not_active_index: "member_search (status) where deleted_at is null and status <> 'ACTIVE'",
	},
	[],
	[
		'members_of_type_index',
		'members_state_code_index',
		'members_of_nationality_index',
		'members_of_fee_year_index',
		'members_deleted_index',
	],
);
