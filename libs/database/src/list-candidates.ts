import { countedMax } from '@paddock/contract';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { isAfter, orderedBy } from './list-order.ts';
import {
	type KeyedRow,
	keyName,
	type List,
	limitOf,
	reachOf,
	type SearchedRows,
	textKeys,
	withKeys,
} from './list-rows.ts';

/** Hits of each condition that are ranked in addition to the candidates, whatever the number of these. */
const bestMax = 200;

interface Candidates {
	/** Empty if there are too many candidates to sort, unless they are ranked. */
	readonly rows: readonly KeyedRow[];
	/** More than `max` if the candidates are not all. */
	readonly counted: number;
}

/** The page among the candidates, and their number. */
export async function ofCandidates(list: List): Promise<Candidates> {
	const { owners, beginnings, isRanked, max } = list;
	if (!isRanked && owners !== undefined && (await hasMore(list, owners)))
		return { rows: [], counted: max + 1 };
	if (beginnings?.ids === undefined || !(await hasMore(list, beginnings.counted ?? beginnings.ids)))
		return pageAmong(list, candidatesOf(list));
	const { rows } = isRanked ? await pageAmong(list, firstCandidatesOf(list, beginnings.ids)) : { rows: [] };
	return { rows, counted: max + 1 };
}

async function pageAmong(
	list: List,
	{ found, candidates, counted }: SelectedCandidates,
): Promise<Candidates> {
	const { db, keys, tied, position, isRanked, sortedMax } = list;
	const varied = keys.slice(tied);
	const nameOf: typeof keyName = (key) => keyName(key, keys.indexOf(key));
	const after = position === undefined ? sql`true` : isAfter(varied, position.values.slice(tied), nameOf);
	// PostgreSQL computes the candidates only when it reads them, which the condition on the total prevents; it keeps them only if they are counted.
	const { rows } = await sql<Partial<KeyedRow> & { readonly counted: number }>`
		with ${found} candidates as (${candidates}),
			total as materialized (select count(*) as counted from ${counted})
		select page.*, counted from total left join lateral (
			select id, ${textKeys(keys, keyName)} from (
				select * from candidates where ${isRanked ? sql`true` : sql`counted <= ${sortedMax}`} and ${after}
				${orderedBy(varied, nameOf)} ${limitOf(list)}
			) as candidates
		) as page on true`.execute(db);
	return {
		rows: rows.filter((row): row is KeyedRow & { counted: number } => row.id != null),
		counted: rows[0]?.counted ?? 0,
	};
}

/** Queries for the candidates, and for the rows that are counted. */
interface SelectedCandidates {
	readonly found: RawBuilder<unknown>;
	readonly candidates: Expression<unknown>;
	readonly counted: RawBuilder<unknown>;
}

function candidatesOf(list: List): SelectedCandidates {
	const { matching, foundIn, id, best, isRanked, beginnings, countsCandidates, countedAlong, max } = list;
	const along = (query: typeof matching) =>
		countedAlong.reduce<typeof query>((ordered, key) => ordered.orderBy(key as never), query);
	const upToMax = (query: typeof matching) => {
		const first = isRanked && beginnings !== undefined ? [...best, beginnings.condition] : best;
		const parts = first.map((condition) => sql`(${query.where(condition).limit(bestMax)})`);
		const all = countsCandidates ? along(query) : query;
		return sql.join([sql`(${all.limit(max + 1)})`, ...parts], sql` union `);
	};
	if (foundIn !== undefined) {
		const isFound = sql<boolean>`${sql.ref(id)} in (select found.id from found)`;
		return {
			found: sql`found as materialized (${upToMax(foundIn.select(sql<string>`id`.as('id')))}),`,
			// `offset` keeps the planner from the index of the order.
			candidates: withKeys(list, matching.clearWhere().where(isFound)).offset(0),
			counted: sql`found`,
		};
	}
	const rows = sql`(${along(matching.select(sql`1`.as('one'))).limit(max + 1)}) as rows`;
	return {
		found: sql``,
		candidates: upToMax(withKeys(list, matching)),
		counted: countsCandidates ? sql`candidates` : rows,
	};
}

/** The best hits, and of the beginnings a few more than those up to the end of the page. */
function firstCandidatesOf(list: List, ids: Expression<unknown>): SelectedCandidates {
	const { matching, id, best, position } = list;
	const count = (position?.before ?? 0) + reachOf(list) + bestMax;
	const firsts = sql<boolean>`${sql.ref(id)} in (select firsts.id from (${ids}) as firsts limit ${count})`;
	const rows = withKeys(list, matching);
	const parts = [rows.where(firsts), ...best.map((condition) => rows.where(condition).limit(bestMax))];
	const candidates = sql.join(
		parts.map((part) => sql`(${part})`),
		sql` union `,
	);
	return { found: sql``, candidates, counted: sql`candidates` };
}

async function hasMore({ db, max }: List, selected: Expression<unknown>): Promise<boolean> {
	const { rows } = await sql<{ readonly counted: number }>`
		select count(*) as counted from (select 1 from (${selected}) as sure limit ${max + 1}) as sure`.execute(
		db,
	);
	return (rows[0]?.counted ?? 0) > max;
}

/** The page, if there are few rows: along the index of the order these would be far apart. */
export async function amongFew(
	list: List,
	{ matching, isHit }: SearchedRows,
): Promise<readonly KeyedRow[] | undefined> {
	const { db, keys, position } = list;
	const after = position === undefined ? sql`true` : isAfter(keys, position.values, keyName);
	// `offset` keeps the order, in which texts are compared until the page is complete.
	const { rows } = await sql<Partial<KeyedRow> & { readonly counted: number }>`
		with few as materialized (${withKeys(list, matching).limit(countedMax + 1)}),
			total as materialized (select count(*) as counted from few)
		select page.*, counted from total left join lateral (
			select id, ${textKeys(keys, keyName)} from (
				select * from few as candidates where counted <= ${countedMax} and ${after}
				${orderedBy(keys, keyName)} offset 0
			) as candidates
			where ${isHit} ${orderedBy(keys, keyName)} ${limitOf(list)}
		) as page on true`.execute(db);
	if ((rows[0]?.counted ?? 0) > countedMax) return undefined;
	return rows.filter((row): row is KeyedRow & { counted: number } => row.id != null);
}
