import type { Page } from '@paddock/contract';
import { listPage, sorted } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import { breedKey } from '../breed-key.ts';
import type { HorseRow, HorsesQueryable, HorsesSchema } from '../database-schema.ts';
import type { HorseQuery, OffspringQuery } from '../schemas/horse-query.ts';
import { type HorseSelect, horseOrdering } from './horse-ordering.ts';

const byName = [{ field: 'name', descending: false }] as const;
const youngestFirst = [
	{ field: 'birthYear', descending: true },
	{ field: 'name', descending: false },
] as const;

/** Lists horses; without a status filter all but the removed ones. */
export function listHorses(db: HorsesQueryable, query: HorseQuery): Promise<Page<HorseRow>> {
	const { ownerId } = query;
	const all = born(filtered(db, query), query);
	const matching = ownerId === undefined ? all : all.where((where) => ownedBy(where, ownerId));
	const ordered = sorted(matching.selectAll(), query.sort ?? byName, horseOrdering).orderBy('id');
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
		.where(({ eb, or }) => or([eb('sire_id', '=', parentId), eb('dam_id', '=', parentId)]));
	const ordered = sorted(matching.selectAll(), query.sort ?? youngestFirst, horseOrdering).orderBy('id');
	return listPage(ordered, pageRequest(query), (row) => row);
}

function filtered(db: HorsesQueryable, query: HorseQuery): HorseSelect {
	let select: HorseSelect = db.selectFrom('horses');
	if (query.status === undefined) select = select.where('status', '<>', 'INACTIVE');
	else select = select.where('status', '=', query.status);
	if (query.sex !== undefined) select = select.where('sex', '=', query.sex);
	if (query.breed !== undefined) select = select.where('breed_key', '=', breedKey(query.breed));
	if (query.isPony !== undefined) select = select.where('is_pony', '=', query.isPony);
	if (query.clubId !== undefined) select = select.where('club_id', '=', query.clubId);
	if (query.responsibleId !== undefined)
		select = select.where('responsible_member_id', '=', query.responsibleId);
	if (query.deathReported !== undefined)
		select = select.where('death_report', query.deathReported ? 'is not' : 'is', null);
	if (query.updatedSince !== undefined)
		select = select.where('updated_at', '>=', new Date(query.updatedSince));
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
	const owned = selectFrom('ownership_shares as share')
		.innerJoin('ownership_periods as period', 'period.id', 'share.period_id')
		.select('period.horse_id')
		.where('share.member_id', '=', memberId)
		.where(({ not, exists, selectFrom: from }) =>
			not(
				exists(
					from('ownership_periods as later')
						.select('later.id')
						.whereRef('later.horse_id', '=', 'period.horse_id')
						.whereRef('later.valid_from', '>', 'period.valid_from'),
				),
			),
		);
	return eb('id', 'in', owned);
}
