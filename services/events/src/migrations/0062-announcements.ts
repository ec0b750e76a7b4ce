import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * The currency of an event, which its competitions and ledgers share, and what announcements say of divisions, prizes and
 * championships. Triggers give competitions the currency of their event, also those of instances of the version before.
 */
export const announcements: Migration = {
	up: async (db) => {
		await sql`
			alter table events add column currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$')`.execute(
			db,
		);
		await sql`
			alter table competitions
				add column currency text not null default 'EUR',
				add column divisions integer not null default 1 check (divisions between 1 and 20),
				add column divided_by text[] not null default '{}',
				add column prizes integer[] not null default '{}',
				add column championship text`.execute(db);
		await sql`
			create index competitions_championship_index on competitions (championship)
				where championship is not null`.execute(db);
		await sql`
			create function take_currency() returns trigger language plpgsql as $$
			begin
				select currency into new.currency from events where id = new.event_id;
				new.currency := coalesce(new.currency, 'EUR');
				return new;
			end $$`.execute(db);
		await sql`
			create trigger competitions_take_currency before insert on competitions
				for each row execute function take_currency()`.execute(db);
		await sql`
			create function pass_currency() returns trigger language plpgsql as $$
			begin
				update competitions set currency = new.currency, version = version + 1
				where event_id = new.id and currency <> new.currency;
				return null;
			end $$`.execute(db);
		await sql`
			create trigger events_pass_currency after update of currency on events
				for each row when (old.currency <> new.currency) execute function pass_currency()`.execute(db);
	},
};
