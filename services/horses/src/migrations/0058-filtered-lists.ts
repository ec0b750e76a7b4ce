import { concurrentIndexes } from '@paddock/database';

const breed = `(coalesce(breed, U&'\\FFFF') collate "und-x-icu")`;
const filters = ['status', 'sex', 'is_pony', 'breed_key', 'birth_year', 'federation_horse_number'];

function others(...columns: readonly string[]): string {
	return filters.filter((each) => !columns.includes(each)).join(', ');
}

/**
 * The index of each frequent filter has all others behind the id, as keys: PostgreSQL compares them before it looks whether the row
 * is visible, which costs more than all else. Those of the orders by name and by change include them, that of changes the other
 * sort fields too: the page, and the few horses that have changed recently, are read from the index alone.
 *
 * Only pages of the table that have been vacuumed since their last change are left unread.
 */
export const filteredLists = concurrentIndexes(
	{
		horses_sex_filters_index: `horses (sex, id, ${others('sex')}) include (date_of_birth)`,
		horses_breed_filters_index: `horses (breed_key, ${breed}, id, ${others('breed_key')}) include (date_of_birth)`,
		horses_pony_filters_index: `horses (${breed}, id, ${others('is_pony')}) include (date_of_birth) where is_pony`,
		horses_registered_filters_index: `horses (sex, id, ${others('sex', 'federation_horse_number')})
			include (date_of_birth) where federation_horse_number is not null`,
		horses_name_filters_index: `horses (name collate "und-x-icu", id) include (${others()}, date_of_birth, updated_at)`,
		horses_changed_filters_index: `horses (updated_at, id)
			include (${others()}, date_of_birth, fei_id, name, breed, registered_on, created_at)`,
	},
	[
		'alter table horses set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)',
	],
	[
		'horses_by_sex_index',
		'horses_by_breed_index',
		'horses_by_pony_breed_index',
		'horses_by_name_index',
		'horses_changed_index',
	],
);
