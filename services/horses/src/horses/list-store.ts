import type { Page } from '@paddock/contract';
import {
	alphabetical,
	alphabeticalOrLast,
	compared,
	frequentShare,
	hasChangedSince,
	isBeginning,
	isOneOf,
	isRecent,
	type ListOrder,
	listPage,
	recentSince,
	shareOf,
} from '@paddock/database';
import { pageRequest } from '@paddock/service';
import {
	type ExpressionBuilder,
	type ExpressionWrapper,
	type RawBuilder,
	type SelectQueryBuilder,
	type SqlBool,
	sql,
} from 'kysely';
import type { HorseRow, HorsesQueryable, HorsesSchema } from '../database-schema.ts';
import { isLastPeriod } from '../ownership/store.ts';
import type { FindingScope } from './number-store.ts';
import type { HorseQuery, HorseSearchQuery, OffspringQuery } from './query-schemas.ts';
import { hasTexts, hitsOf } from './searched-texts.ts';
import { breedKey } from './store.ts';

export type HorseSelect = SelectQueryBuilder<HorsesSchema, 'horses', object>;

const byName = {
	defaultSort: ['name'],
	alphabetical: ['name'],
	expressions: { breed: alphabeticalOrLast('breed') },
	indexed: ['name', 'birthYear', 'breed', 'sex', 'registeredOn', 'createdAt', 'updatedAt'],
} as const;
const youngestFirst = { ...byName, defaultSort: ['-birthYear', 'name'] } as const;

/** Lists horses; without a status filter all but the deleted ones. */
export function listHorses(
	db: HorsesQueryable,
	query: HorseQuery,
	scope: FindingScope,
): Promise<Page<HorseRow>> {
	const { ownerId, feiRegistered, deathReported } = query;
	const matching = (horses: HorseSelect) => {
		const all = born(filtered(horses, query), query);
		return ownerId === undefined ? all : all.where((where) => ownedBy(where, ownerId));
	};
	const isOrdered = [ownerId, feiRegistered, deathReported].every((filter) => filter === undefined);
	return pageOfHorses(db, matching, query, { order: byName, scope, isOrdered });
}

export function listOffspring(
	db: HorsesQueryable,
	parentId: string,
	query: OffspringQuery,
	scope: FindingScope,
): Promise<Page<HorseRow>> {
	const matching = (horses: HorseSelect) =>
		horses
			.where('status', '<>', 'INACTIVE')
			.where(({ eb, or }) => or([eb('sireId', '=', parentId), eb('damId', '=', parentId)]));
	return pageOfHorses(db, matching, query, { order: youngestFirst, scope, isOrdered: false });
}

interface HorseOrder {
	readonly order: ListOrder<NonNullable<OffspringQuery['sort']>[number]['field']>;
	readonly scope: FindingScope;
	/** Whether the indexes of names have the columns of all filters, of which none leaves few. */
	readonly isOrdered: boolean;
}

/** Those that match the text and have changed since the instant. With a search and without `sort`, complete numbers and beginnings of names come first. */
async function pageOfHorses(
	db: HorsesQueryable,
	matchingOf: (horses: HorseSelect) => HorseSelect,
	query: OffspringQuery &
		Pick<HorseSearchQuery, 'name'> &
		Partial<Pick<HorseQuery, 'breed' | 'clubId' | 'responsibleMemberId'>>,
	{ order, scope, isOrdered }: HorseOrder,
): Promise<Page<HorseRow>> {
	const { q, name, breed, clubId, responsibleMemberId, updatedSince } = query;
	const among = (horses: HorseSelect) => {
		const all = matchingOf(horses);
		return updatedSince === undefined ? all : all.where(hasChangedSince(updatedSince));
	};
	const matching = among(db.selectFrom('horses'));
	const page = {
		request: pageRequest(query),
		sort: query.sort,
		order,
		since: recentSince(query),
		find: (ids: readonly string[]) => rowsOf(db, ids),
	};
	const isHit = hasTexts({ q, name }, scope);
	if (isHit === undefined) return listPage(db, matching, page);
	const isFrequent = (await shareOf(db.selectFrom('horses'), isHit, db)) >= frequentShare;
	const areFew = isRecent(updatedSince) || clubId !== undefined || responsibleMemberId !== undefined;
	const isOfBreed = isFrequent && !areFew && breed !== undefined && query.sort === undefined;
	// The index of texts would read all hits, and those of both texts.
	const isCompared = isFrequent && (areFew || isOfBreed || (q !== undefined && name !== undefined));
	const { begins, quoted, ...hits } = hitsOf({ q, name }, scope);
	const isCovered = isFrequent && !areFew && isOrdered && (q === undefined || name === undefined);
	const areHits = isCovered && isBeginning(q ?? name ?? '');
	const idsBy = (keys: typeof order.defaultSort) => among(firstNames(db, begins, keys, breed)).select('id');
	return listPage(db, matching.where(isCompared ? compared(isHit) : isHit), {
		...page,
		...hits,
		...(areHits ? { best: [...hits.best, quoted] } : {}),
		// To be counted, horses of one name needn't be in an order.
		beginnings: {
			condition: areFew ? compared(begins) : begins,
			...(areHits && { ids: idsBy(order.defaultSort), counted: idsBy(['name']) }),
		},
		// Few horses are counted and sorted at once; the page of many is near, and more of them needn't be counted.
		isSearch: isFrequent && !areFew,
		countedAlong: isOfBreed ? [sql.ref('breedKey'), byName.expressions.breed, sql.ref('id')] : [],
		searched: { matching, isHit: sql`(select ${isHit} from horses hits where hits.id = candidates.id)` },
	});
}

/** How many names are read from their index alone, of which filters may leave few. */
const firstNamesMax = 10_000;

/** The first horses that meet the condition, in an order that begins with the name, with the other columns of its index, of all horses or of a breed. */
function firstNames(
	db: HorsesQueryable,
	condition: RawBuilder<boolean>,
	order: HorseOrder['order']['defaultSort'],
	breed: string | undefined,
): HorseSelect {
	const columns = [
		'id',
		'status',
		'sex',
		'isPony',
		'breedKey',
		'birthYear',
		'federationHorseNumber',
		'dateOfBirth',
		'updatedAt',
	] as const;
	const all = db.selectFrom('horses').select(columns).where(condition).orderBy(alphabetical('name'));
	const named = breed === undefined ? all : all.where('breedKey', '=', breedKey(breed));
	const ordered = order.includes('birthYear') ? named.orderBy('birthYear') : named;
	const horses = ordered.orderBy('id').limit(firstNamesMax);
	return db.selectFrom(horses.as('horses')) as unknown as HorseSelect;
}

function rowsOf(db: HorsesQueryable, ids: readonly string[]): Promise<HorseRow[]> {
	return db.selectFrom('horses').selectAll().where(isOneOf('id', ids)).execute();
}

function filtered(horses: HorseSelect, query: HorseQuery): HorseSelect {
	const { sex, isPony, clubId, responsibleMemberId, breed, status } = query;
	let select = horses.where(
		status === undefined ? sql<boolean>`status <> 'INACTIVE'` : isOneOf('status', status),
	);
	const wanted = { sex, clubId, responsibleMemberId };
	for (const [column, values] of Object.entries(wanted))
		if (values !== undefined) select = select.where(isOneOf(column, values));
	if (breed !== undefined) select = select.where('breedKey', '=', breedKey(breed));
	// As a parameter, the value would not match the condition of the partial index.
	if (isPony !== undefined) select = select.where(isPony ? sql<boolean>`is_pony` : sql<boolean>`not is_pony`);
	const present = {
		federationHorseNumber: query.federationRegistered,
		feiId: query.feiRegistered,
		deathReport: query.deathReported,
	};
	for (const [column, isGiven] of Object.entries(present))
		if (isGiven !== undefined) select = select.where(sql.ref(column), isGiven ? 'is not' : 'is', null);
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

export function ownedBy(
	{ eb, selectFrom }: Pick<ExpressionBuilder<HorsesSchema, 'horses'>, 'eb' | 'selectFrom'>,
	memberIds: readonly string[],
): ExpressionWrapper<HorsesSchema, 'horses', SqlBool> {
	const owned = selectFrom('ownershipShares as share')
		.innerJoin('ownershipPeriods as period', 'period.id', 'share.periodId')
		.select('period.horseId')
		.where('share.memberId', 'in', memberIds)
		.where(isLastPeriod);
	return eb('id', 'in', owned);
}

/**
 * Finds horses that contain every word of the query, in the name or (`q` only) in a number. Order: the whole text is a
 * number of the horse, a name begins with it, a number begins with it, others; within each by name, then by age.
 */
export async function searchHorses(
	db: HorsesQueryable,
	query: HorseSearchQuery,
	scope: FindingScope,
): Promise<Page<HorseRow>> {
	const matching = (horses: HorseSelect) =>
		scope.withDeleted ? horses : horses.where('status', '<>', 'INACTIVE');
	const order: HorseOrder['order'] = { ...byName, defaultSort: ['name', 'birthYear'] };
	return pageOfHorses(db, matching, query, { order, scope, isOrdered: true });
}
