import { concurrentIndexes } from '@paddock/database';

/**
 * Members that have changed since an instant are listed from the index alone, with all that a list filters by or sorts by. Such reads
 * need pages that the last vacuum has seen: by default a fifth of the table changes before the next one.
 */
export const changedLists = concurrentIndexes(
	{
		members_by_change_index: `members (updated_at, id) include (
			membership_type, state_code, nationality, fee_paid_for_year, status, deleted_at,
			sort_name, first_name, membership_number, date_of_birth, join_date, suspension_ends_at, created_at
		)`,
	},
	[
		`alter table members set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)`,
	],
	['members_changed_index'],
);
