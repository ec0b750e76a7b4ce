import type { ReferenceCounts } from '@paddock/context';
import { sql } from 'kysely';

export const referenceCounts: ReferenceCounts = {
	COUNTRY: 'none',
	STATE: 'none',
	VENUE: 'none',
	ARENA: 'none',
	AGE_CLASS: 'none',
	/** Accounts, closed ones included, with a role whose scope includes the club. */
	CLUB: ({ id }) => sql`(select count(*) from users
		where jsonb_path_exists(role_scopes, '$.*.clubIds[*] ? (@ == $id)', jsonb_build_object('id', ${id}::text)))`,
};
