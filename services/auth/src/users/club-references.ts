import { countOf } from '@paddock/database';
import type { CountReferences } from '@paddock/service';
import { sql } from 'kysely';
import type { AuthDeps } from '../deps.ts';

/** Counts accounts, closed ones included, with a role whose scope includes the club. */
export const countClubReferences: CountReferences<AuthDeps> = ({ db }, { id }) =>
	countOf(
		db,
		sql`(select count(*) from users
			where jsonb_path_exists(role_scopes, '$.*.clubIds[*] ? (@ == $id)', jsonb_build_object('id', ${id}::text)))`,
	);
