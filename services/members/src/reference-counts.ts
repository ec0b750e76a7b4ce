import type { ReferenceCounts } from '@paddock/context';
import { sql } from 'kysely';

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
