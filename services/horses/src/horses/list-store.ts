import type { Page } from '@paddock/contract';
import { listPage, sorted } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import {
	type ExpressionBuilder,
	type ExpressionWrapper,
	type SelectQueryBuilder,
	type SqlBool,
	sql,
} from 'kysely';
import type { HorseRow, HorsesQueryable, HorsesSchema } from '../database-schema.ts';
import { isLastPeriod } from '../ownership/store.ts';
import type { HorseQuery, OffspringQuery } from './query-schemas.ts';
import { breedKey } from './rows.ts';

export type HorseSelect = SelectQueryBuilder<HorsesSchema, 'horses', object>;

const byName = { defaultSort: ['name'], alphabetical: ['name', 'breed'] } as const;
const youngestFirst = { ...byName, defaultSort: ['-birthYear', 'name'] } as const;

/** Lists horses; without a status filter all but the removed ones. */
export function listHorses(db: HorsesQueryable, query: HorseQuery): Promise<Page<HorseRow>> {
	const { ownerId } = query;
	const all = born(filtered(db, query), query);
	const matching = ownerId === undefined ? all : all.where((where) => ownedBy(where, ownerId));
	const ordered = sorted(matching.selectAll(), query.sort, byName).orderBy('id');
	return listPage(ordered, pageRequest(query), (row) => row);
}

export function listOffspring(
	db: HorsesQueryable,
	parentId: string,
	query: OffspringQuery,
): Promise<Page<HorseRow>> {
	const matching = db
		.selectFrom('horses')
		.where('status', '<>', 'INACTIVE')
		.where(({ eb, or }) => or([eb('sireId', '=', parentId), eb('damId', '=', parentId)]));
	const ordered = sorted(matching.selectAll(), query.sort, youngestFirst).orderBy('id');
	return listPage(ordered, pageRequest(query), (row) => row);
}

function filtered(db: HorsesQueryable, query: HorseQuery): HorseSelect {
	const { sex, isPony, clubId, responsibleId, breed, status, updatedSince } = query;
	const equal = {
		sex,
		isPony,
		clubId,
		responsibleMemberId: responsibleId,
		breedKey: breed === undefined ? undefined : breedKey(breed),
	};
	const given = Object.entries(equal).filter(([, value]) => value !== undefined);
	let select: HorseSelect = db
		.selectFrom('horses')
		.where((where) => where.and(Object.fromEntries(given)))
		.where('status', status === undefined ? '<>' : '=', status ?? 'INACTIVE');
	const present = {
		federationHorseNumber: query.federationRegistered,
		feiId: query.feiRegistered,
		deathReport: query.deathReported,
	};
	for (const [column, isGiven] of Object.entries(present))
		if (isGiven !== undefined) select = select.where(sql.ref(column), isGiven ? 'is not' : 'is', null);
	if (updatedSince !== undefined) select = select.where('updatedAt', '>=', new Date(updatedSince));
	return select;
}

/** A year as bound compares years; a day compares days, or years if the day of birth is unknown. */
function born(select: HorseSelect, { bornFrom, bornTo }: HorseQuery): HorseSelect {
	let bounded = select;
	if (bornFrom !== undefined) bounded = bounded.where(isBorn('>=', bornFrom));
	if (bornTo !== undefined) bounded = bounded.where(isBorn('<=', bornTo));
	return bounded;
}

function isBorn(operator: '>=' | '<=', bound: string) {
	const comparison = sql.raw(operator);
	const byYear = sql<boolean>`birth_year ${comparison} ${Number(bound.slice(0, 4))}`;
	if (bound.length === 4) return byYear;
	// The year comparison comes first, because it uses an index.
	return sql<boolean>`(${byYear} and coalesce(date_of_birth ${comparison} ${bound}::date, true))`;
}

/** Condition: the current owners of the horse include the member. */
export function ownedBy(
	{ eb, selectFrom }: Pick<ExpressionBuilder<HorsesSchema, 'horses'>, 'eb' | 'selectFrom'>,
	memberId: string,
): ExpressionWrapper<HorsesSchema, 'horses', SqlBool> {
	const owned = selectFrom('ownershipShares as share')
		.innerJoin('ownershipPeriods as period', 'period.id', 'share.periodId')
		.select('period.horseId')
		.where('share.memberId', '=', memberId)
		.where(isLastPeriod);
	return eb('id', 'in', owned);
}
