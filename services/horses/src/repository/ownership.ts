import { sql } from 'kysely';
import type { HorsesQueryable } from '../database-schema.ts';
import type { OwnershipShareRow } from '../ownership-tables.ts';
import type { Owner } from '../schemas/owner.ts';
import type { OwnershipPeriod } from '../schemas/ownership.ts';
import { hundredthsOf } from '../shares.ts';

/** Current owners of these horses by horse id, with one query. */
export async function listOwners(
	db: HorsesQueryable,
	horseIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Owner[]>> {
	if (horseIds.length === 0) return new Map();
	const rows = await db
		.selectFrom('ownership_periods as period')
		.innerJoin('ownership_shares as share', 'share.period_id', 'period.id')
		.select('period.horse_id')
		.selectAll('share')
		.where('period.horse_id', 'in', [...horseIds])
		.where(({ not, exists, selectFrom }) =>
			not(
				exists(
					selectFrom('ownership_periods as later')
						.select('later.id')
						.whereRef('later.horse_id', '=', 'period.horse_id')
						.whereRef('later.valid_from', '>', 'period.valid_from'),
				),
			),
		)
		.orderBy('share.position')
		.execute();
	const groups = Map.groupBy(rows, (row) => row.horse_id);
	return new Map([...groups].map(([horseId, shares]) => [horseId, shares.map(toOwner)]));
}

/** Periods, latest first; with `on` only the period that contains this day. */
export async function listPeriods(
	db: HorsesQueryable,
	horseId: string,
	on?: string,
): Promise<OwnershipPeriod[]> {
	const rows = await db
		.with('period', (cte) =>
			cte
				.selectFrom('ownership_periods')
				.select(['id', 'valid_from'])
				.select(sql<string | null>`lead(valid_from) over (order by valid_from) - 1`.as('valid_to'))
				.where('horse_id', '=', horseId),
		)
		.selectFrom('period')
		.innerJoin('ownership_shares as share', 'share.period_id', 'period.id')
		.selectAll(['period', 'share'])
		.$if(on !== undefined, (select) =>
			select.where(sql<boolean>`${on}::date between valid_from and coalesce(valid_to, 'infinity')`),
		)
		.orderBy('valid_from', 'desc')
		.orderBy('position')
		.execute();
	const periods = Map.groupBy(rows, (row) => row.valid_from);
	return [...periods].map(([from, shares]) => ({
		from,
		to: shares[0]?.valid_to ?? null,
		owners: shares.map(toOwner),
	}));
}

/** First days of the earliest and of the latest period. Every horse has at least one period. */
export async function getPeriodBounds(
	db: HorsesQueryable,
	horseId: string,
): Promise<{ readonly first: string; readonly last: string }> {
	return db
		.selectFrom('ownership_periods')
		.select(({ fn }) => [fn.min<string>('valid_from').as('first'), fn.max<string>('valid_from').as('last')])
		.where('horse_id', '=', horseId)
		.executeTakeFirstOrThrow();
}

/** Needs the lock on the horse's row: the caller has checked that no later period exists. */
export async function insertPeriod(
	db: HorsesQueryable,
	horseId: string,
	{ from, owners }: Pick<OwnershipPeriod, 'from' | 'owners'>,
): Promise<void> {
	const { id } = await db
		.insertInto('ownership_periods')
		.values({ horse_id: horseId, valid_from: from })
		.returning('id')
		.executeTakeFirstOrThrow();
	await insertShares(db, id, owners);
}

/** Replaces first day and owners of the horse's last period. Needs the lock on the horse's row. */
export async function replaceLastPeriod(
	db: HorsesQueryable,
	horseId: string,
	{ from, owners }: Pick<OwnershipPeriod, 'from' | 'owners'>,
): Promise<void> {
	const { id } = await db
		.selectFrom('ownership_periods')
		.select('id')
		.where('horse_id', '=', horseId)
		.orderBy('valid_from', 'desc')
		.limit(1)
		.executeTakeFirstOrThrow();
	await db.updateTable('ownership_periods').set({ valid_from: from }).where('id', '=', id).execute();
	await db.deleteFrom('ownership_shares').where('period_id', '=', id).execute();
	await insertShares(db, id, owners);
}

async function insertShares(db: HorsesQueryable, id: string, owners: readonly Owner[]): Promise<void> {
	await db
		.insertInto('ownership_shares')
		.values(
			owners.map(({ memberId, externalParty, sharePercent }, position) => ({
				period_id: id,
				position,
				member_id: memberId,
				party_name: externalParty?.name ?? null,
				party_country_code: externalParty?.countryCode ?? null,
				share_hundredths: sharePercent === null ? null : hundredthsOf(sharePercent),
			})),
		)
		.execute();
}

function toOwner(row: OwnershipShareRow): Owner {
	const { party_name: name, party_country_code: countryCode } = row;
	return {
		memberId: row.member_id,
		externalParty: name === null || countryCode === null ? null : { name, countryCode },
		sharePercent: row.share_hundredths === null ? null : row.share_hundredths / 100,
	};
}
