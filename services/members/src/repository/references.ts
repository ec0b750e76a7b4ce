import { countOf } from '@paddock/database';
import type { CountReferences } from '@paddock/service';
import { sql } from 'kysely';
import type { MembersDeps } from '../deps.ts';

/** Counts members (deleted ones included) and clubs with the country in nationality or address. */
export const countCountryReferences: CountReferences<MembersDeps> = ({ db }, { codes }) => {
	const any = sql`any(${[...codes]}::text[])`;
	return countOf(
		db,
		sql`(select count(*) from members where nationality = ${any} or country_code = ${any})
			+ (select count(*) from clubs where country_code = ${any})`,
	);
};

/** Counts members (deleted ones included) with the state in the address, and clubs of its association. */
export const countStateReferences: CountReferences<MembersDeps> = ({ db }, { codes }) => {
	const any = sql`any(${[...codes]}::text[])`;
	return countOf(
		db,
		sql`(select count(*) from members where state_code = ${any})
			+ (select count(*) from clubs where state_code = ${any})`,
	);
};
