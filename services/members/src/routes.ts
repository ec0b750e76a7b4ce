import { personRoutes, type ReferenceCounts, referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import { sql } from 'kysely';
import { clubRoutes } from './clubs/routes.ts';
import type { MembersSchema } from './database-schema.ts';
import type { MembersDeps } from './deps.ts';
import { lookupRoutes } from './lookup/routes.ts';
import { consentRoutes } from './members/consents.ts';
import { memberReadingRoutes } from './members/read-routes.ts';
import { memberStateRoutes, memberWritingRoutes } from './members/routes.ts';
import { personalData } from './personal-data.ts';

export const referenceCounts: ReferenceCounts = {
	COUNTRY: ({ codes }) => {
		const any = sql`any(${codes}::text[])`;
		return sql`(select count(*) from members where nationality = ${any} or country_code = ${any})
			+ (select count(*) from clubs where country_code = ${any})`;
	},
	STATE: ({ codes }) => {
		const any = sql`any(${codes}::text[])`;
		return sql`(select count(*) from members where state_code = ${any})
			+ (select count(*) from clubs where state_code = ${any})`;
	},
	VENUE: 'none',
	ARENA: 'none',
	AGE_CLASS: 'none',
	// Foreign keys of this database check the references of members to clubs.
	CLUB: 'none',
};

export const membersRoutes: readonly Route<MembersDeps>[] = [
	...memberReadingRoutes,
	...memberWritingRoutes,
	...memberStateRoutes,
	...clubRoutes,
	...consentRoutes,
	...lookupRoutes,
	referencesRoute<MembersDeps>(referenceCounts),
	...personRoutes<MembersSchema, MembersDeps>(personalData),
];
