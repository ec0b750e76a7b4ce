import { sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';
import { dayInVienna, latestBirthDate } from '../rules/calendar.ts';
import { fullAgeYears } from '../rules/member-checks.ts';
import type { Viewer } from '../rules/member-rights.ts';
import { gender, memberStatus, membershipType } from '../schemas/member.ts';
import type { MemberStats } from '../schemas/stats.ts';
import { statusAt, visibleTo } from './member-conditions.ts';

/** One row for each value of each grouped column, and one for everything. */
interface StatsRow {
	readonly dimension: 'status' | 'membership_type' | 'gender' | 'state_code' | 'all';
	readonly value: string | null;
	/** Deleted ones too. */
	readonly everyone: number;
	readonly present: number;
	readonly minors: number;
	readonly joined_this_year: number;
	readonly fee_paid: number;
}

/** Counts the members whom the caller may see, in one pass. */
export async function getMemberStats(db: MembersQueryable, viewer: Viewer, now: Date): Promise<MemberStats> {
	const rows = await statsRows(db, viewer, now);
	const whole = rows.find(({ dimension }) => dimension === 'all');
	const of = (dimension: StatsRow['dimension']) => rows.filter((row) => row.dimension === dimension);
	return {
		total: whole?.present ?? 0,
		byStatus: counts(memberStatus.options, of('status'), 'everyone'),
		byMembershipType: counts(membershipType.options, of('membership_type'), 'present'),
		byGender: counts(gender.options, of('gender'), 'present'),
		byState: of('state_code')
			.filter(({ present }) => present > 0)
			.map(({ value, present }) => ({ stateCode: value, count: present })),
		minors: whole?.minors ?? 0,
		joinedThisYear: whole?.joined_this_year ?? 0,
		feePaid: whole?.fee_paid ?? 0,
	};
}

function counts<const Name extends string>(
	names: readonly Name[],
	rows: readonly StatsRow[],
	column: 'everyone' | 'present',
): Record<Name, number> {
	const found = new Map(rows.map((row) => [row.value, row[column]]));
	return Object.fromEntries(names.map((name) => [name, found.get(name) ?? 0])) as Record<Name, number>;
}

async function statsRows(db: MembersQueryable, viewer: Viewer, now: Date): Promise<StatsRow[]> {
	const today = dayInVienna(now);
	const year = Number(today.slice(0, 4));
	// Deleted members are there for the office only.
	const deletedToo = viewer.isOffice ? sql`true` : sql`deleted_at is null`;
	const { rows } = await sql<StatsRow>`
		with counted as (
			select ${statusAt(now)} as current_status, membership_type, gender, state_code, deleted_at is null as is_present,
				date_of_birth > ${latestBirthDate(fullAgeYears, today)}::date as is_minor,
				extract(year from join_date) = ${year}::integer as has_joined_this_year,
				coalesce(fee_paid_for_year >= ${year}::integer, false) as has_paid
			from members where ${visibleTo(viewer)} and ${deletedToo}
		)
		select
			case
				when grouping(current_status) = 0 then 'status'
				when grouping(membership_type) = 0 then 'membership_type'
				when grouping(gender) = 0 then 'gender'
				when grouping(state_code) = 0 then 'state_code'
				else 'all' end as dimension,
			coalesce(current_status, membership_type, gender, state_code) as value,
			count(*) as everyone,
			count(*) filter (where is_present) as present,
			count(*) filter (where is_present and is_minor) as minors,
			count(*) filter (where is_present and has_joined_this_year) as joined_this_year,
			count(*) filter (where is_present and has_paid) as fee_paid
		from counted
		group by grouping sets ((current_status), (membership_type), (gender), (state_code), ())
		order by value nulls last`.execute(db);
	return rows;
}
