import { countOf } from '@paddock/database';
import type { CountReferences } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { EventsQueryable } from '../database-schema.ts';

type Count = CountReferences<{ readonly db: EventsQueryable }>;
type Reference = Parameters<Count>[1];

function counting(total: (reference: Reference) => RawBuilder<unknown>): Count {
	return ({ db }, reference) => countOf(db, total(reference));
}

const anyOf = (codes: readonly string[]) => sql`any(${[...codes]}::text[])`;

/** Counts references, including those of drafts, cancelled events and ended entries. */
export const referenceCounts = {
	/** Entries store the nation of the rider. */
	COUNTRY: counting(
		({ codes }) => sql`(select count(*) from events where venue_country_code = ${anyOf(codes)})
			+ (select count(*) from entries where rider_nation = ${anyOf(codes)})`,
	),
	STATE: counting(({ codes }) => sql`(select count(*) from events where venue_state_code = ${anyOf(codes)})`),
	VENUE: counting(({ id }) => sql`(select count(*) from events where venue_id = ${id}::uuid)`),
	ARENA: counting(({ id }) => sql`(select count(*) from competitions where arena_id = ${id}::uuid)`),
	AGE_CLASS: counting(
		({ codes }) => sql`(select count(*) from competitions join events on events.id = competitions.event_id
			where exists (
				select from unnest(competitions.age_classes) age_class
				where events.ruleset || ':' || age_class = ${anyOf(codes)}
			))`,
	),
	/** As organiser, and as the club of a rider or a horse at the time of entry. */
	CLUB: counting(
		({ id }) => sql`(select count(*) from events where organiser_club_id = ${id}::uuid)
			+ (select count(*) from entries where rider_club_id = ${id}::uuid or horse_club_id = ${id}::uuid)`,
	),
};
