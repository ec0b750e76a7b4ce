import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * Links between accounts and members, requested, confirmed or over. The member of the account itself stays in
 * `users.member_id`, which instances of the previous version write as well; a trigger records each of these changes as a
 * link, so that the two cannot differ.
 */
export const memberLinks: Migration = {
	up: async (db) => {
		await sql`
			create table member_links (
				id uuid primary key default gen_random_uuid(),
				user_id uuid not null references users on delete cascade,
				relationship text not null check (relationship in ('SELF', 'GUARDIAN', 'CLUB_CONTACT')),
				status text not null check (status in ('REQUESTED', 'CONFIRMED', 'DECLINED', 'ENDED')),
				membership_number text,
				date_of_birth date,
				member_id uuid,
				club_id uuid,
				holds_until timestamptz(3),
				decided_by uuid,
				decided_at timestamptz(3),
				reason text,
				ended_by uuid,
				ended_at timestamptz(3),
				created_at timestamptz(3) not null,
				updated_at timestamptz(3) not null,
				version integer not null default 1,
				constraint member_links_confirmed_member check (status <> 'CONFIRMED' or member_id is not null),
				constraint member_links_guardian_ends check (
					status <> 'CONFIRMED' or relationship <> 'GUARDIAN' or holds_until is not null
				),
				constraint member_links_contact_of_club check (
					status <> 'CONFIRMED' or relationship <> 'CLUB_CONTACT' or club_id is not null
				)
			)`.execute(db);
		await sql`
			create unique index member_links_one_self on member_links (member_id)
			where relationship = 'SELF' and status = 'CONFIRMED'`.execute(db);
		await sql`
			create unique index member_links_once on member_links (user_id, member_id, relationship)
			where status = 'CONFIRMED'`.execute(db);
		await sql`create index member_links_user on member_links (user_id, created_at)`.execute(db);
		await sql`create index member_links_club on member_links (club_id, created_at)`.execute(db);
		await sql`create index member_links_created on member_links (created_at)`.execute(db);
		await sql`create index member_links_updated on member_links (updated_at)`.execute(db);
		await sql`
			insert into member_links
				(user_id, relationship, status, member_id, decided_at, created_at, updated_at)
			select id, 'SELF', 'CONFIRMED', member_id, updated_at, updated_at, updated_at
			from users where member_id is not null`.execute(db);
		await noteChangesOfSelf(db);
	},
};

type Executor = Parameters<Migration['up']>[0];

async function noteChangesOfSelf(db: Executor): Promise<void> {
	await sql`
		create function note_self_link() returns trigger language plpgsql as $$
		begin
			if tg_op = 'UPDATE' then
				update member_links
				set status = 'ENDED', ended_at = new.updated_at, updated_at = new.updated_at, version = version + 1
				where user_id = new.id and relationship = 'SELF' and status = 'CONFIRMED'
					and member_id is distinct from new.member_id;
			end if;
			if new.member_id is not null then
				insert into member_links
					(user_id, relationship, status, member_id, decided_at, created_at, updated_at)
				select new.id, 'SELF', 'CONFIRMED', new.member_id, new.updated_at, new.updated_at, new.updated_at
				where not exists (
					select from member_links
					where user_id = new.id and member_id = new.member_id
						and relationship = 'SELF' and status = 'CONFIRMED'
				);
			end if;
			return null;
		end $$`.execute(db);
	await sql`
		create trigger users_note_first_self after insert on users
		for each row when (new.member_id is not null) execute function note_self_link()`.execute(db);
	await sql`
		create trigger users_note_self after update of member_id on users
		for each row when (old.member_id is distinct from new.member_id) execute function note_self_link()`.execute(
		db,
	);
}
