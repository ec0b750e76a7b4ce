import { dayInVienna } from '@paddock/calendar';
import { type Database, statistics } from '@paddock/database';
import { count, countedAt, countList, countsBy } from '@paddock/service';
import { sql } from 'kysely';
import { z } from 'zod';
import type { MembersQueryable, MembersSchema } from '../database-schema.ts';
import { statusAt, visibleTo } from './conditions.ts';
import { minorsBornAfter, type Viewer } from './rules.ts';
import { gender, memberStatus, membershipType } from './schemas.ts';

/** One row for each value of each grouped column, and one for everything. */
interface StatsRow {
	readonly dimension: 'status' | 'membership_type' | 'gender' | 'state_code' | 'all';
	readonly value: string | null;
	/** Includes deleted members. */
	readonly everyone: number;
	readonly present: number;
	readonly minors: number;
	readonly joinedThisYear: number;
	readonly feePaid: number;
}

/** Counts the members whom the caller may see as the office or as an official; an official's clubs are few. */
export async function getMemberStats(
	db: Database<MembersSchema>,
	viewer: Viewer,
	now: Date,
): Promise<MemberStats> {
	if (viewer.isOffice) return countAllMembers(db, now);
	return { ...(await countMembers(db, viewer, now)), countedAt: now.toISOString() };
}

/** As the office sees them. */
export async function countAllMembers(db: Database<MembersSchema>, now: Date): Promise<MemberStats> {
	const office = {
		isOffice: true,
		clubIds: [],
		memberId: undefined,
		guardianOf: [],
		minorsBornAfter: minorsBornAfter(now),
	};
	const of = { key: 'all', table: 'members', now };
	const { numbers, countedAt } = await statistics(db, of, (transaction) =>
		countMembers(transaction, office, now),
	);
	return { ...numbers, countedAt: countedAt.toISOString() };
}

type CountingViewer = Omit<Viewer, 'memberStatus'>;

async function countMembers(
	db: MembersQueryable,
	viewer: CountingViewer,
	now: Date,
): Promise<Omit<MemberStats, 'countedAt'>> {
	const rows = await statsRows(db, viewer, now);
	const whole = rows.find(({ dimension }) => dimension === 'all');
	const cell = (dimension: StatsRow['dimension'], value: string) =>
		rows.find((row) => row.dimension === dimension && row.value === value);
	return {
		total: whole?.present ?? 0,
		byStatus: countList('status', memberStatus.options, (status) => cell('status', status)?.everyone ?? 0),
		byMembershipType: countList(
			'membershipType',
			membershipType.options,
			(type) => cell('membership_type', type)?.present ?? 0,
		),
		byGender: countList('gender', gender.options, (value) => cell('gender', value)?.present ?? 0),
		byState: rows
			.filter(({ dimension, present }) => dimension === 'state_code' && present > 0)
			.map(({ value, present }) => ({ stateCode: value, count: present })),
		minors: whole?.minors ?? 0,
		joinedThisYear: whole?.joinedThisYear ?? 0,
		feePaid: whole?.feePaid ?? 0,
	};
}

/** Reads every member once and groups them into a few hundred cells; the dimensions are sums of cells. */
async function statsRows(db: MembersQueryable, viewer: CountingViewer, now: Date): Promise<StatsRow[]> {
	const today = dayInVienna(now);
	const year = Number(today.slice(0, 4));
	// Records of the official and of wards are counted only if they belong to one of the clubs, like any other record.
	const counted = visibleTo({ ...viewer, memberId: undefined, guardianOf: [] });
	// Only the office sees deleted members.
	const deletedToo = viewer.isOffice ? sql`true` : sql`deleted_at is null`;
	const { rows } = await sql<StatsRow>`
		with cells as (
			select ${statusAt(now)} as current_status, membership_type, gender, state_code,
				count(*) as everyone,
				count(*) filter (where deleted_at is null) as present,
				count(*) filter (
					where deleted_at is null and date_of_birth > ${viewer.minorsBornAfter}::date
				) as minors,
				count(*) filter (
					where deleted_at is null and join_date between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date
				) as joined_this_year,
				count(*) filter (where deleted_at is null and fee_paid_for_year >= ${year}::integer) as fee_paid
			from members where ${counted} and ${deletedToo}
			group by 1, membership_type, gender, state_code
		)
		select
			case
				when grouping(current_status) = 0 then 'status'
				when grouping(membership_type) = 0 then 'membership_type'
				when grouping(gender) = 0 then 'gender'
				when grouping(state_code) = 0 then 'state_code'
				else 'all' end as dimension,
			coalesce(current_status, membership_type, gender, state_code) as value,
			sum(everyone)::bigint as everyone,
			sum(present)::bigint as present,
			sum(minors)::bigint as minors,
			sum(joined_this_year)::bigint as joined_this_year,
			sum(fee_paid)::bigint as fee_paid
		from cells
		group by grouping sets ((current_status), (membership_type), (gender), (state_code), ())
		order by value nulls last`.execute(db);
	return rows;
}

/** Member counts; all but `byStatus` exclude deleted members. */
export const memberStats = z
	.strictObject({
		total: count.describe('Members that are not deleted.'),
		byStatus: countsBy('MemberStatusCount', 'status', memberStatus).describe(
			'By status, deleted members included.',
		),
		byMembershipType: countsBy('MembershipTypeCount', 'membershipType', membershipType).describe(
			'By kind of membership.',
		),
		byGender: countsBy('GenderCount', 'gender', gender).describe('By gender.'),
		byState: countsBy(
			'StateCount',
			'stateCode',
			z.string().nullable().describe('ISO 3166-2; null if unknown.'),
		).describe('By the state of the address; null = no state is known.'),
		minors: count.describe('Under 18 today, in Austria.'),
		joinedThisYear: count.describe('Joined since 1 January, in Austria.'),
		feePaid: count.describe('For this year or a later one.'),
		countedAt,
	})
	.meta({
		id: 'MemberStats',
		description: 'Numbers of the members that the caller may see.',
		example: {
			total: 3,
			byStatus: [
				{ status: 'PENDING', count: 1 },
				{ status: 'ACTIVE', count: 2 },
				{ status: 'SUSPENDED', count: 0 },
				{ status: 'INACTIVE', count: 1 },
			],
			byMembershipType: [
				{ membershipType: 'FULL', count: 2 },
				{ membershipType: 'YOUTH', count: 1 },
			],
			byGender: [
				{ gender: 'FEMALE', count: 2 },
				{ gender: 'MALE', count: 1 },
			],
			byState: [
				{ stateCode: 'AT-3', count: 2 },
				{ stateCode: null, count: 1 },
			],
			minors: 1,
			joinedThisYear: 1,
			feePaid: 2,
			countedAt: '2026-03-01T12:00:00.000Z',
		},
	});

export type MemberStats = z.output<typeof memberStats>;
