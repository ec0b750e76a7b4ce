import { personRoutes, type ReferenceCounts, referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import { sql } from 'kysely';
import type { HorsesSchema } from './database-schema.ts';
import { deathRoutes } from './death/routes.ts';
import type { HorsesDeps } from './deps.ts';
import { listingRoutes, readingRoutes } from './horses/read-routes.ts';
import { statusRoutes, writingRoutes } from './horses/routes.ts';
import { internalRoutes } from './lookup/routes.ts';
import { ownershipRoutes } from './ownership/routes.ts';
import { personalData } from './personal-data.ts';

export const referenceCounts: ReferenceCounts = {
	/** Horses by country of birth and UELN; external owners in periods, in transfers of any status, and in corrections. */
	COUNTRY: ({ codes }) => {
		const any = sql`any(${codes}::text[])`;
		const named = sql`'$.**.countryCode ? (@ == $codes[*])', ${JSON.stringify({ codes })}::jsonb`;
		return sql`(select count(*) from horses where country_of_birth = ${any} or left(ueln, 3) = ${any})
			+ (select count(*) from ownership_shares where party_country_code = ${any})
			+ (select count(*) from ownership_transfers where jsonb_path_exists(owners, ${named}))
			+ (select count(*) from ownership_corrections
				where jsonb_path_exists(before, ${named}) or jsonb_path_exists(after, ${named}))`;
	},
	STATE: 'none',
	VENUE: 'none',
	ARENA: 'none',
	AGE_CLASS: 'none',
	CLUB: ({ id }) => sql`(select count(*) from horses where club_id = ${id}::uuid)`,
};

export const horsesRoutes: readonly Route<HorsesDeps>[] = [
	...listingRoutes,
	...readingRoutes,
	...writingRoutes,
	...ownershipRoutes,
	...statusRoutes,
	...deathRoutes,
	...internalRoutes,
	referencesRoute<HorsesDeps>(referenceCounts),
	...personRoutes<HorsesSchema, HorsesDeps>(personalData),
];
