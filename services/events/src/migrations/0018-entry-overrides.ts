import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * Findings that organiser or office passed; codes of findings as the rules name them; several riders of a horse in a
 * competition where the rules allow them (OeTO §55.1.2), each with an entry of their own.
 */
export const entryOverrides: Migration = {
	up: async (db) => {
		await sql`alter table entries add column overrides jsonb not null default '[]'`.execute(db);
		for (const [before, after] of renamed)
			await sql`
				update entries set checks = replace(checks::text, ${`"code": "${before}"`}, ${`"code": "${after}"`})::jsonb
				where checks @> ${JSON.stringify([{ code: before }])}::jsonb`.execute(db);
		await sql`
			update entries set checks = (
				select jsonb_agg(case
					when item ->> 'code' = 'FEE_UNPAID' and item ->> 'about' = 'HORSE'
					then jsonb_set(item, '{code}', '"HORSE_FEE_UNPAID"') else item end order by place)
				from jsonb_array_elements(checks) with ordinality as list (item, place)
			)
			where checks @> '[{"code": "FEE_UNPAID", "about": "HORSE"}]'`.execute(db);
		await sql`drop index starts_competition_id_horse_id_key`.execute(db);
		await sql`
			create unique index starts_competition_id_horse_id_rider_key
				on starts (competition_id, horse_id, rider_member_id)
				where status in ('SUBMITTED', 'ACCEPTED', 'WAITLISTED')`.execute(db);
	},
};

const renamed = [
	['AGE_CLASS', 'AGE_CLASS_MISMATCH'],
	['TOO_MANY_HORSES', 'RIDER_TOO_MANY_HORSES'],
	['HORSE_ALREADY_ENTERED', 'HORSE_TWICE_IN_COMPETITION'],
] as const;
