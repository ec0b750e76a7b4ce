import { concurrentIndexes } from '@paddock/database';

/** An index for each sort of the list and each selective filter, and for the search within a club. */
export const listIndexes = concurrentIndexes({
	members_first_name_index: 'members (first_name collate "und-x-icu", id)',
	members_join_date_index: 'members (join_date, id)',
	members_created_at_index: 'members (created_at, id)',
	members_changed_index: 'members (updated_at, id)',
	members_born_index: 'members (date_of_birth, id)',
	members_nationality_index: 'members (nationality, sort_name, id)',
	members_fee_paid_for_year_index: 'members (fee_paid_for_year, sort_name, id)',
	members_membership_type_index: 'members (membership_type, sort_name, id)',
	member_search_home_club_id_index: 'member_search (home_club_id)',
});
