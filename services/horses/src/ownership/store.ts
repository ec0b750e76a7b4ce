import { isOneOf } from '@paddock/database';
import { withInstants } from '@paddock/service';
import { type Selectable, sql } from 'kysely';
import type { HorsesQueryable, HorsesSchema } from '../database-schema.ts';
import type { Owner } from './owner-schemas.ts';
import type { OwnershipCorrection, OwnershipPeriod } from './schemas.ts';

/** Condition: `period` is the last one of its horse. */
export const isLastPeriod = sql<boolean>`not exists (
	select from ownership_periods later
	where later.horse_id = period.horse_id and later.valid_from > period.valid_from
)`;

export async function listOwners(
	db: HorsesQueryable,
	horseIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Owner[]>> {
	if (horseIds.length === 0) return new Map();
	const rows = await db
		.selectFrom('ownershipPeriods as period')
		.innerJoin('ownershipShares as share', 'share.periodId', 'period.id')
		.select('period.horseId')
		.selectAll('share')
		.where(isOneOf('period.horseId', horseIds))
		.where(isLastPeriod)
		.orderBy('share.position')
		.execute();
	const groups = Map.groupBy(rows, (row) => row.horseId);
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
				.selectFrom('ownershipPeriods')
				.select(['id', 'validFrom'])
				.select(sql<string | null>`lead(valid_from) over (order by valid_from) - 1`.as('validTo'))
				.where('horseId', '=', horseId),
		)
		.selectFrom('period')
		.innerJoin('ownershipShares as share', 'share.periodId', 'period.id')
		.selectAll(['period', 'share'])
		.$if(on !== undefined, (select) =>
			select.where(sql<boolean>`${on}::date between valid_from and coalesce(valid_to, 'infinity')`),
		)
		.orderBy('validFrom', 'desc')
		.orderBy('position')
		.execute();
	const periods = Map.groupBy(rows, (row) => row.validFrom);
	return [...periods].map(([from, shares]) => ({
		from,
		to: shares[0]?.validTo ?? null,
		owners: shares.map(toOwner),
	}));
}

/** First days of the earliest and of the latest period. Every horse has at least one period. */
export async function getPeriodBounds(
	db: HorsesQueryable,
	horseId: string,
): Promise<{ readonly first: string; readonly last: string }> {
	return db
		.selectFrom('ownershipPeriods')
		.select(({ fn }) => [fn.min<string>('validFrom').as('first'), fn.max<string>('validFrom').as('last')])
		.where('horseId', '=', horseId)
		.executeTakeFirstOrThrow();
}

/** Needs the lock on the horse's row: the caller has checked that no later period exists. */
export async function insertPeriod(
	db: HorsesQueryable,
	horseId: string,
	{ from, owners }: Pick<OwnershipPeriod, 'from' | 'owners'>,
): Promise<void> {
	const { id } = await db
		.insertInto('ownershipPeriods')
		.values({ horseId: horseId, validFrom: from })
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
		.selectFrom('ownershipPeriods')
		.select('id')
		.where('horseId', '=', horseId)
		.orderBy('validFrom', 'desc')
		.limit(1)
		.executeTakeFirstOrThrow();
	await db.updateTable('ownershipPeriods').set({ validFrom: from }).where('id', '=', id).execute();
	await db.deleteFrom('ownershipShares').where('periodId', '=', id).execute();
	await insertShares(db, id, owners);
}

async function insertShares(db: HorsesQueryable, id: string, owners: readonly Owner[]): Promise<void> {
	await db
		.insertInto('ownershipShares')
		.values(
			owners.map(({ memberId, externalParty, sharePercent }, position) => ({
				periodId: id,
				position,
				memberId: memberId,
				partyName: externalParty?.name ?? null,
				partyCountryCode: externalParty?.countryCode ?? null,
				shareHundredths: sharePercent === null ? null : Math.round(sharePercent * 100),
			})),
		)
		.execute();
}

function toOwner(row: Selectable<HorsesSchema['ownershipShares']>): Owner {
	const { partyName: name, partyCountryCode: countryCode } = row;
	return {
		memberId: row.memberId,
		externalParty: name === null || countryCode === null ? null : { name, countryCode },
		sharePercent: row.shareHundredths === null ? null : row.shareHundredths / 100,
	};
}

type NewCorrection = Omit<OwnershipCorrection, 'id' | 'correctedAt'> & { readonly correctedAt: Date };

export async function insertCorrection(
	db: HorsesQueryable,
	correction: NewCorrection,
): Promise<OwnershipCorrection> {
	const [before, after] = [JSON.stringify(correction.before), JSON.stringify(correction.after)];
	const row = await db
		.insertInto('ownershipCorrections')
		.values({ ...correction, before, after })
		.returningAll()
		.executeTakeFirstOrThrow();
	return withInstants(row);
}

export async function listCorrections(db: HorsesQueryable, horseId: string): Promise<OwnershipCorrection[]> {
	const rows = await db
		.selectFrom('ownershipCorrections')
		.selectAll()
		.where('horseId', '=', horseId)
		.orderBy('correctedAt', 'desc')
		.orderBy('id')
		.execute();
	return rows.map(withInstants);
}
