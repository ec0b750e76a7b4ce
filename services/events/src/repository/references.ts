import type { CountReferences } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { EventsDeps } from '../deps.ts';

type Count = CountReferences<EventsDeps>;

async function countOf({ db }: EventsDeps, total: RawBuilder<number>): Promise<number> {
	const { rows } = await sql<{ count: number }>`select ${total} as count`.execute(db);
	return rows[0]?.count ?? 0;
}

/** Includes drafts and cancelled events, and entries, which store the nation of the rider. */
export const countCountryReferences: Count = (deps, { codes }) => {
	const any = sql`any(${[...codes]}::text[])`;
	return countOf(
		deps,
		sql`(select count(*) from events where venue_country_code = ${any})
			+ (select count(*) from entries where rider_nation = ${any})`,
	);
};

export const countStateReferences: Count = (deps, { codes }) =>
	countOf(deps, sql`(select count(*) from events where venue_state_code = any(${[...codes]}::text[]))`);

export const countVenueReferences: Count = (deps, { id }) =>
	countOf(deps, sql`(select count(*) from events where venue_id = ${id}::uuid)`);

export const countArenaReferences: Count = (deps, { id }) =>
	countOf(deps, sql`(select count(*) from competitions where arena_id = ${id}::uuid)`);

export const countAgeClassReferences: Count = (deps, { codes }) =>
	countOf(
		deps,
		sql`(select count(*) from competitions join events on events.id = competitions.event_id
			where exists (
				select from unnest(competitions.age_classes) age_class
				where events.ruleset || ':' || age_class = any(${[...codes]}::text[])
			))`,
	);

/** Counts the club as organiser, and as the club of a rider or a horse at the time of entry. */
export const countClubReferences: Count = (deps, { id }) =>
	countOf(
		deps,
		sql`(select count(*) from events where organiser_club_id = ${id}::uuid)
			+ (select count(*) from entries where rider_club_id = ${id}::uuid or horse_club_id = ${id}::uuid)`,
	);
