import type { Page } from '@paddock/contract';
import {
	alphabetical,
	alphabeticalOrLast,
	compared,
	frequentShare,
	hasChangedSince,
	isOneOf,
	isRecent,
	type ListOrder,
	listPage,
	matchesAny,
	recentSince,
	shareOf,
	textMatches,
	textQuery,
} from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { cleanNumber, searchForms } from '@paddock/text';
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
import { type FindingScope, hasNumber, hasNumberPart } from './number-store.ts';
import type { HorseQuery, HorseSearchQuery, OffspringQuery } from './query-schemas.ts';
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
	const { ownerId } = query;
	const all = born(filtered(db, query), query);
	const matching = ownerId === undefined ? all : all.where((where) => ownedBy(where, ownerId));
	return pageOfHorses(db, matching, query, { order: byName, scope });
}

export function listOffspring(
	db: HorsesQueryable,
	parentId: string,
	query: OffspringQuery,
	scope: FindingScope,
): Promise<Page<HorseRow>> {
	const matching = db
		.selectFrom('horses')
		.where('status', '<>', 'INACTIVE')
		.where(({ eb, or }) => or([eb('sireId', '=', parentId), eb('damId', '=', parentId)]));
	const order = youngestFirst;
	return pageOfHorses(db, matching, query, { order, scope });
}

interface HorseOrder {
	readonly order: ListOrder<NonNullable<OffspringQuery['sort']>[number]['field']>;
	readonly scope: FindingScope;
}

/** Those that match the text and have changed since the instant. With a search and without `sort`, complete numbers and beginnings of names come first. */
async function pageOfHorses(
	db: HorsesQueryable,
	all: HorseSelect,
	query: OffspringQuery &
		Pick<HorseSearchQuery, 'name'> &
		Partial<Pick<HorseQuery, 'breed' | 'clubId' | 'responsibleMemberId'>>,
	{ order, scope }: HorseOrder,
): Promise<Page<HorseRow>> {
	const { q, name, breed, clubId, responsibleMemberId, updatedSince } = query;
	const matching = updatedSince === undefined ? all : all.where(hasChangedSince(updatedSince));
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
	return listPage(db, matching.where(isCompared ? compared(isHit) : isHit), {
		...page,
		...hitsOf({ q, name }, scope),
		// Few horses are counted and sorted at once; the page of many is near, and more of them needn't be counted.
		isSearch: isFrequent && !areFew,
		countedAlong: isOfBreed ? [sql.ref('breedKey'), byName.expressions.breed, sql.ref('id')] : [],
		searched: { matching, isHit: sql`(select ${isHit} from horses hits where hits.id = candidates.id)` },
	});
}

type TypedTexts = Pick<HorseSearchQuery, 'q' | 'name'>;

function hasTexts({ q, name }: TypedTexts, scope: FindingScope): RawBuilder<boolean> | undefined {
	const hits = [
		...(q === undefined ? [] : [inNameOrNumber(q, scope)]),
		...(name === undefined ? [] : [textMatches('nameText', textQuery(name))]),
	];
	return hits.length === 0 ? undefined : sql<boolean>`(${sql.join(hits, sql` and `)})`;
}

function hitsOf(typed: TypedTexts, scope: FindingScope) {
	const numbers = typed.q === undefined ? [] : [hasNumber(cleanNumber(typed.q), scope)];
	const begin = (typed.q ?? typed.name ?? '').trim().toLowerCase();
	const name = alphabetical('name');
	// Of one order, which has an index; the trigrams of a beginning are those of many names.
	const startsNearby = sql<boolean>`(${name} >= ${begin} and ${name} < ${`${begin}\uffff`})`;
	return { rank: rankOf(typed, scope), best: [...numbers, startsNearby] };
}

function rowsOf(db: HorsesQueryable, ids: readonly string[]): Promise<HorseRow[]> {
	return db.selectFrom('horses').selectAll().where(isOneOf('id', ids)).execute();
}

function filtered(db: HorsesQueryable, query: HorseQuery): HorseSelect {
	const { sex, isPony, clubId, responsibleMemberId, breed, status } = query;
	let select: HorseSelect = db
		.selectFrom('horses')
		.where(status === undefined ? sql<boolean>`status <> 'INACTIVE'` : isOneOf('status', status));
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
	let matching: HorseSelect = db.selectFrom('horses');
	if (!scope.withDeleted) matching = matching.where('status', '<>', 'INACTIVE');
	const order: HorseOrder['order'] = { ...byName, defaultSort: ['name', 'birthYear'] };
	return pageOfHorses(db, matching, query, { order, scope });
}

const horseTexts = { names: 'nameText', numbers: 'numberText' };

/** Each part of the query is in the name or in a number, or all of it together in either. */
export function inNameOrNumber(typed: string, scope: FindingScope, texts = horseTexts): RawBuilder<boolean> {
	const query = textQuery(typed);
	if (query.parts.length === 0) return sql<boolean>`false`;
	const parts = query.parts.map((part) => inEither(part.anywhere, cleanNumber(part.typed), { scope, texts }));
	const all = sql<boolean>`(${sql.join(parts, sql` and `)})`;
	if (query.together.length === 0) return all;
	return sql<boolean>`(${all} or ${inEither(query.together, cleanNumber(typed), { scope, texts })})`;
}

interface SearchedTexts {
	readonly scope: FindingScope;
	readonly texts: typeof horseTexts;
}

function inEither(inName: readonly string[], number: string, searched: SearchedTexts): RawBuilder<boolean> {
	const matchesName = matchesAny(searched.texts.names, inName);
	// Most numbers contain any one digit, and none contains other characters.
	if (!/^[\p{L}\p{N}]{2,}$/u.test(number)) return matchesName;
	return sql<boolean>`(${matchesName} or ${hasPart(number, searched)})`;
}

function hasPart(number: string, { scope, texts }: SearchedTexts): RawBuilder<boolean> {
	// As in names: the index has no two characters in the middle of a number.
	const inText = matchesAny(texts.numbers, numberPatterns(number, isShort(number) ? '%\n' : '%'));
	// `numberText` contains all numbers and is indexed: it selects candidates, then the columns that the caller may
	// read decide.
	return scope.withIdentifiers
		? inText
		: sql`(${inText} and ${hasNumberPart(number, { atBegin: isShort(number) }, scope)})`;
}

function isShort(number: string): boolean {
	return number.length < 3;
}

/** For a cleaned number of letters and digits. `before`: what may precede it, as a LIKE pattern. */
function numberPatterns(number: string, before: '%' | '%\n'): string[] {
	return searchForms(number).map((form) => `${before}${form}%`);
}

function startsName({ q, name }: TypedTexts): RawBuilder<boolean> {
	return matchesAny('nameText', textQuery(q ?? name ?? '').start);
}

function rankOf({ q, name }: TypedTexts, scope: FindingScope): RawBuilder<number> {
	const inName = startsName({ q, name });
	if (q === undefined) return sql<number>`case when ${inName} then 1 else 3 end`;
	const number = cleanNumber(q);
	const isCompared = /^[\p{L}\p{N}]+$/u.test(number) && scope.withIdentifiers;
	const startsNumber = isCompared
		? matchesAny('numberText', numberPatterns(number, '%\n'))
		: sql<boolean>`false`;
	return sql<number>`
		case
			when ${hasNumber(number, scope)} then 0
			when ${inName} then 1
			when ${startsNumber} then 2
			else 3
		end`;
}
