import type { ReferenceCounts } from '@paddock/context';
import { sql } from 'kysely';

const anyOf = (codes: readonly string[]) => sql`any(${codes}::text[])`;

export const referenceCounts: ReferenceCounts = {
	/** Entries store the nation of the rider. */
	COUNTRY: ({ codes }) => sql`(select count(*) from events where venue_country_code = ${anyOf(codes)})
		+ (select count(*) from entries where rider_nation = ${anyOf(codes)})`,
	STATE: ({ codes }) => sql`(select count(*) from events where venue_state_code = ${anyOf(codes)})`,
	VENUE: ({ id }) => sql`(select count(*) from events where venue_id = ${id}::uuid)`,
	ARENA: ({ id }) => sql`(select count(*) from competitions where arena_id = ${id}::uuid)`,
	AGE_CLASS: ({ codes }) => sql`(
		select count(*) from competitions join events on events.id = competitions.event_id
		where exists (
			select from unnest(competitions.age_classes) age_class
			where events.ruleset || ':' || age_class = ${anyOf(codes)}
		))`,
	/** As organiser, and as the club of a rider or a horse at the time of entry. */
	CLUB: ({ id }) => sql`(select count(*) from events where organiser_club_id = ${id}::uuid)
		+ (select count(*) from entries where rider_club_id = ${id}::uuid or horse_club_id = ${id}::uuid)`,
};
