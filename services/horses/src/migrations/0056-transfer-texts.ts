import { concurrentIndexes } from '@paddock/database';

/**
 * The texts by which a transfer's horse is found, since a frequent word is in many more horses than have a transfer. Triggers keep them, also
 * for instances of the previous version.
 */
export const transferTexts = concurrentIndexes(
	{
		ownership_transfers_search_text_index:
			'ownership_transfers using gin (search_text gin_trgm_ops) with (fastupdate = off)',
	},
	[
		`alter table ownership_transfers add column search_text text not null default ''`,
		`create function copy_horse_texts() returns trigger language plpgsql as $$
		begin
			select name_text || number_text into new.search_text from horses where id = new.horse_id;
			new.search_text := coalesce(new.search_text, '');
			return new;
		end $$`,
		`create trigger ownership_transfers_texts before insert on ownership_transfers
		for each row execute function copy_horse_texts()`,
		`create function pass_horse_texts_on() returns trigger language plpgsql as $$
		begin
			update ownership_transfers set search_text = new.name_text || new.number_text where horse_id = new.id;
			return null;
		end $$`,
		`create trigger horses_pass_texts_on after update of name_text, number_text on horses
		for each row when ((old.name_text, old.number_text) is distinct from (new.name_text, new.number_text))
		execute function pass_horse_texts_on()`,
		`update ownership_transfers set search_text = name_text || number_text
		from horses where horses.id = horse_id`,
	],
);
