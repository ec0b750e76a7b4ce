import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Each consent that was given or withdrawn, by whom and in which capacity. The present ones stay in the record. */
export const consentHistory: Migration = {
	up: async (db) => {
		await sql`
			create table consent_events (
				id bigint generated always as identity primary key,
				member_id uuid not null references members (id) on delete cascade,
				consent text not null check (consent in ('publishResults', 'newsletter')),
				given boolean not null,
				acting_as text not null check (acting_as in ('MEMBER', 'GUARDIAN', 'OFFICE', 'UNKNOWN')),
				changed_by uuid,
				changed_at timestamptz(3) not null
			)`.execute(db);
		await sql`create index consent_events_member on consent_events (member_id, changed_at)`.execute(db);
		await sql`
			insert into consent_events (member_id, consent, given, acting_as, changed_at)
			select id, 'publishResults', publish_results_given, 'UNKNOWN', publish_results_at
			from members where publish_results_at is not null
			union all
			select id, 'newsletter', newsletter_given, 'UNKNOWN', newsletter_at
			from members where newsletter_at is not null`.execute(db);
	},
};
