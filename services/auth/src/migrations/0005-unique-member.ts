import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * One account per member. Where several accounts hold one member, an active one that signed in last keeps it. The others
 * are unlinked and listed in `unlinked_members`, which the service reports at each start until an officer has decided:
 * a start that fails would be an outage of all sign-ins, for accounts that can be corrected through the API only while it
 * runs.
 */
export const uniqueMember: Migration = {
	up: async (db) => {
		await sql`
			create table unlinked_members (
				user_id uuid primary key references users on delete cascade,
				member_id uuid not null,
				kept_by uuid not null references users on delete cascade
			)`.execute(db);
		await sql`
			insert into unlinked_members (user_id, member_id, kept_by)
			select id, member_id, kept_by from (
				select id, member_id, first_value(id) over (
					partition by member_id
					order by (status = 'ACTIVE') desc, last_login_at desc nulls last, created_at, id
				) as kept_by
				from users where member_id is not null
			) as holders
			where id <> kept_by`.execute(db);
		await sql`
			update users set member_id = null, version = version + 1
			where id in (select user_id from unlinked_members)`.execute(db);
		// Access tokens that still name the member; subjects are those of `accountSubject`, positions have no gaps.
		await sql`
			insert into revocations (position, subject, before, created_at)
			select
				feed.last + row_number() over (order by users.id),
				rtrim(translate(encode(sha256(convert_to('account:' || users.id, 'UTF8')), 'base64'), '+/', '-_'), '='),
				users.version,
				now()
			from users join unlinked_members on unlinked_members.user_id = users.id, revocation_feed as feed`.execute(
			db,
		);
		await sql`
			update revocation_feed set last = last + (select count(*) from unlinked_members)`.execute(db);
		await sql`alter table users add constraint users_member_unique unique (member_id)`.execute(db);
	},
};
