import { personRoutes, type ReferenceCounts, referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import { sql } from 'kysely';
import { competitionRoutes } from './competitions/routes.ts';
import type { EventsSchema } from './database-schema.ts';
import type { EventsDeps } from './deps.ts';
import { entryListRoutes } from './entries/list-routes.ts';
import { entryRoutes } from './entries/routes.ts';
import { findingRoutes } from './events/findings.ts';
import { eventListRoutes, eventRoutes } from './events/routes.ts';
import { eventStepRoutes } from './events/step-routes.ts';
import { personalData } from './personal-data.ts';
import { ruleRoutes } from './rules/routes.ts';

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

export const eventsRoutes: readonly Route<EventsDeps>[] = [
	...ruleRoutes,
	...eventListRoutes,
	...eventRoutes,
	...eventStepRoutes,
	...findingRoutes,
	...competitionRoutes,
	...entryListRoutes,
	...entryRoutes,
	referencesRoute<EventsDeps>(referenceCounts),
	...personRoutes<EventsSchema, EventsDeps>(personalData),
];
