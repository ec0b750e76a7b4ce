import { filledColumns } from '@paddock/database';

const columns = ['nationality', 'state_code', 'fee_paid_for_year', 'duplicate_suspected'] as const;

function listed(prefix: string): string {
	return columns.map((column) => `${prefix}${column}`).join(', ');
}

/**
 * The other filters of the list, in the table that has the text: a text and a filter are found there together. Triggers copy them, also
 * for instances of the previous version.
 */
export const searchedFilters = filledColumns({ table: 'member_search', from: 'members', columns }, [
	`alter table member_search
		add column nationality text, add column state_code text,
		add column fee_paid_for_year integer, add column duplicate_suspected boolean`,
	// A fifth of the writes of a fill; the next migration replaces the index.
	'alter index member_search_text_index set (fastupdate = on)',
	`create function copy_member_filters() returns trigger language plpgsql as $$
	begin
		select ${listed('')} into ${listed('new.')} from members where id = new.id;
		return new;
	end $$`,
	`create trigger member_search_filters before insert on member_search
	for each row when (new.nationality is null) execute function copy_member_filters()`,
	`create function pass_member_filters_on() returns trigger language plpgsql as $$
	begin
		update member_search set (${listed('')}) = row(${listed('new.')}) where id = new.id;
		return null;
	end $$`,
	`create trigger members_pass_filters_on after update of ${listed('')} on members
	for each row when ((${listed('old.')}) is distinct from (${listed('new.')}))
	execute function pass_member_filters_on()`,
]);
