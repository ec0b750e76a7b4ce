import { concurrentIndexes } from '@paddock/database';

const filters = ['membership_type', 'state_code', 'nationality', 'fee_paid_for_year', 'deleted_at'];
const status = 'status, suspension_ends_at';
const keys = 'membership_number, first_name, date_of_birth, join_date, created_at, updated_at';

function ofFilter(column: string): string {
	const others = filters.filter((each) => each !== column);
	return `members (${column}, sort_name, id, ${others.join(', ')}) include (${status}, ${keys})`;
}

function ofSort(key: string): string {
	return `members (${key}, id) include (${filters.join(', ')}, ${status}, updated_at)`;
}

/**
 * Other filters are keys behind the id: PostgreSQL compares them before it looks whether the row is visible. The index of each order
 * includes all filters: of a rare one, the page is read from it alone, not from a page of the table for each row in between.
 */
export const filterKeys = concurrentIndexes(
	{
		members_type_filters_index: ofFilter('membership_type'),
		members_state_filters_index: ofFilter('state_code'),
		members_nationality_filters_index: ofFilter('nationality'),
		members_fee_year_filters_index: ofFilter('fee_paid_for_year'),
		members_first_name_filters_index: ofSort('first_name collate "und-x-icu"'),
		members_born_filters_index: ofSort('date_of_birth'),
		members_join_date_filters_index: ofSort('join_date'),
		members_created_filters_index: ofSort('created_at'),
		members_not_active_filters_index: `members (status, sort_name, id, ${filters.slice(0, 4).join(', ')})
			include (suspension_ends_at, ${keys}) where deleted_at is null and status <> 'ACTIVE'`,
	},
	// Rows of 28 members share a page: with 2 % changed, a third of the pages have to be read.
	[
		'alter table members set (autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_insert_scale_factor = 0.005)',
	],
	[
		'members_by_type_index',
		'members_by_state_index',
		'members_by_nationality_index',
		'members_by_fee_year_index',
		'members_first_name_index',
		'members_born_index',
		'members_join_date_index',
		'members_created_at_index',
		'members_not_active_index',
	],
);
