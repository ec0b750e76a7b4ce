import { apiError, invalidCursor } from '@paddock/contract';
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import { inTransaction } from './in-transaction.ts';
import { amongFew, ofCandidates } from './list-candidates.ts';
import { isAfter, type OrderKey, orderedBy } from './list-order.ts';
import {
	firstRows,
	type KeyedRow,
	keyedRows,
	keyName,
	type List,
	type RowGroups,
	reachOf,
	type SearchedRows,
	sortedRows,
	walkedNames,
	withKeys,
} from './list-rows.ts';
import { unprepared } from './prepared-statements.ts';

/** How many rows are compared with a text along the index of the order: hits can be far from where a page begins. */
const comparedMax = 10_000;
/** Rows that are read and hits that are sorted if the first hits are far from where the order begins: twice a third of the entries in a registry of 100,000 members. */
const sortedWorkMax = 220_000;
/**
 * How many rows along the index of the order may precede the end of a page of tied rows, and if it is not found there, how many of these
 * are sorted. More are a large part of all, so it is not far.
 */
const farTie = 100_000;
/** How many tied rows are sorted if an index has all of their keys: to find the page among others takes as long. */
const coveredTie = 25_000;

const one = sql`1`.as('one');

/** The page, read along the indexes of its order, and one row more if it is not the last one. */
export async function inOrder(list: List): Promise<readonly KeyedRow[]> {
	const { keys, tied, searched } = list;
	const few = searched?.mayBeFew === true && tied === 0 ? await amongFew(list, searched) : undefined;
	if (few !== undefined) return few;
	const key = keys[tied];
	if (key?.isIndexed !== true || key.isContinued) return alongIndex(list);
	return tied === 0 ? inSnapshot(list, (snapshot) => tieByTie(snapshot, key)) : tieByTie(list, key);
}

/** A row that moves between two statements would be missing, or on the page twice. */
function inSnapshot<Result>(list: List, read: (list: List) => Promise<Result>): Promise<Result> {
	const db = list.db as Kysely<never>;
	if (db.isTransaction) return read(list);
	const isolation = 'repeatable read';
	return unprepared(() =>
		inTransaction(db, (transaction) => read({ ...list, db: transaction }), { isolation }),
	);
}

/**
 * The page in an order of several fields of which no index has all: whole ties of the first field, and the beginning of one more,
 * in the order of the others. With a common value, such as a sex, a tie is a large part of the table.
 */
async function tieByTie(list: List, key: OrderKey): Promise<readonly KeyedRow[]> {
	const { keys, tied, position, request } = list;
	const value = position?.values[tied];
	if (value === null) throw invalidCursor();
	const rest = value === undefined ? [] : await ofTie(list, key, value);
	const missing = reachOf(list) - rest.length;
	if (missing <= 0) return rest;
	const following: List = {
		...(value === undefined ? list : narrowed(list, isAfter([key], [value]))),
		position: undefined,
		request: { ...request, offset: 0, size: missing - 1 },
	};
	const walked = [key, ...keys.slice(-1).map((id) => ({ ...id, descending: key.descending }))];
	const rows = await alongIndex({ ...following, walked });
	const tieOf = (row: KeyedRow) => row[`k${tied}`] ?? undefined;
	const last = rows.length < missing ? undefined : rows.map(tieOf).at(-1);
	if (last === undefined) return pageOf(list, [...rest, ...rows]);
	const whole = rows.filter((row) => tieOf(row) !== last);
	return pageOf(list, [...rest, ...whole, ...(await ofTie(following, key, last))]);
}

/** The first rows with that value of the key. */
async function ofTie(list: List, key: OrderKey, value: string): Promise<readonly KeyedRow[]> {
	const { tied, keys } = list;
	const compared = list.tie ?? list.searched;
	const isTied = sql<boolean>`${keyName(key, tied)} = ${value}`;
	const tie: List = {
		...narrowed(list, sql<boolean>`${key.expression} = ${value}`),
		tied: tied + 1,
		walked: keys.slice(tied + 1),
		tie: {
			matching: (compared ?? list).matching,
			isHit: compared === undefined ? isTied : sql<boolean>`${isTied} and ${compared.isHit}`,
		},
	};
	if (tie.searched !== undefined) return (await amongFew(tie, tie.searched)) ?? inOrder(tie);
	const { hits, isCovered } = await expectedOf(tie, withKeys(tie, tie.matching));
	if (hits > farTie) return inOrder({ ...tie, tie: undefined });
	if (isCovered && hits <= coveredTie) return sortedRows(tie, tieInOrder(tie).offset(0));
	const { rows, counted } = await ofCandidates(tie);
	return counted <= tie.sortedMax ? rows : inOrder(tie);
}

/** Of rows with equal keys the first ones of the page come first, so that no later one takes their place while they are sorted. */
function tieInOrder(tie: List) {
	const direction = tie.keys.at(-1)?.descending === true ? 'desc' : 'asc';
	return keyedRows(tie, tie.matching).orderBy(sql.ref(tie.id) as never, direction);
}

function pageOf({ position, request: { offset } }: List, rows: readonly KeyedRow[]): readonly KeyedRow[] {
	return position === undefined ? rows.slice(offset) : rows;
}

/** Those rows of the list that meet the condition. */
function narrowed(list: List, condition: RawBuilder<boolean>): List {
	const where = <Part extends Pick<List, 'matching'>>(part: Part) => ({
		...part,
		matching: part.matching.where(condition),
	});
	const { groups, searched, tie } = list;
	return {
		...where(list),
		parts: list.parts.map(where),
		groups: groups && where(groups),
		searched: searched && where(searched),
		tie: tie && where(tie),
		foundIn: undefined,
		owners: undefined,
	};
}

/** The page in an order that an index has. */
async function alongIndex(list: List): Promise<readonly KeyedRow[]> {
	const { groups, searched, parts, tie } = list;
	if (groups !== undefined) return sortedRows(list, ofGroups(list, groups));
	const few = tie && parts.length === 1 ? await nearOrFew(list, tie) : undefined;
	if (few !== undefined) return few;
	if (searched !== undefined && parts.length === 1) return compared(list, searched);
	const rows = parts.map(({ matching, isSorted }) =>
		// `offset` keeps the planner from the index of the order.
		isSorted === true ? keyedRows(list, matching).offset(0) : firstRows(list, matching),
	);
	return sortedRows(
		list,
		sql.join(
			rows.map((part) => sql`(${part})`),
			sql` union `,
		),
	);
}

/** The page of tied rows, if these are near where it begins, or not too many to be sorted. */
async function nearOrFew(
	list: List,
	tie: NonNullable<List['tie']>,
): Promise<readonly KeyedRow[] | undefined> {
	const near = await nearby(list, tie, list.searched === undefined ? farTie : comparedMax);
	if (near.length > list.request.size) return near;
	const { rows, counted } = await ofCandidates({ ...list, max: farTie, sortedMax: farTie });
	return counted <= farTie ? rows : undefined;
}

/**
 * The page of the hits, if these are near where it begins; otherwise all hits are sorted.
 * @throws ApiError INVALID_QUERY_PARAMETER if these are too many, and few of them near the beginning of an order that the caller chose
 */
async function compared(list: List, searched: SearchedRows): Promise<readonly KeyedRow[]> {
	const { request, matching, isChosen } = list;
	const reach = reachOf(list);
	// Who has come as far by the cursor is not turned back.
	const sorted =
		isChosen && request.cursor === undefined ? await expectedOf(list, matching.select(one)) : undefined;
	const areMany = sorted !== undefined && sorted.hits + sorted.read > sortedWorkMax;
	// If they are spread evenly, a third of these rows has the page.
	const count = areMany
		? Math.ceil((3 * reach * (await expectedOf(list, searched.matching.select(one))).hits) / sorted.hits)
		: comparedMax;
	const near = await nearby(list, searched, count);
	if (near.length > request.size) return near;
	if (areMany && near.length < request.size / 4) throw tooWide();
	// `offset` keeps the planner from the index of the order.
	return sortedRows(list, keyedRows(list, matching).offset(0));
}

interface ExpectedRows {
	readonly hits: number;
	/** Of the index or table of which most is read. */
	readonly read: number;
	/** Whether an index has all columns. */
	readonly isCovered: boolean;
}

/** What the planner expects of a query. */
async function expectedOf({ db }: List, selected: Expression<unknown>): Promise<ExpectedRows> {
	const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${selected}`.execute(db);
	const plan = rows.map((row) => row['QUERY PLAN']);
	const expected = plan.map((node) => Number(/ rows=(\d+) /.exec(node)?.[1] ?? 0));
	return {
		hits: expected[0] ?? 0,
		read: Math.max(...expected),
		isCovered: plan[0]?.startsWith('Index Only Scan') === true,
	};
}

function tooWide() {
	const message =
		'of so many records with this text the first ones in this order are not found in time; more words, a filter or another order find them';
	return apiError('INVALID_QUERY_PARAMETER', {
		errors: [{ field: 'sort', code: 'INVALID_RANGE', message }],
	});
}

/** The hits among that many rows where the page begins. */
function nearby(list: List, { matching, isHit }: SearchedRows, count: number): Promise<readonly KeyedRow[]> {
	// A number that the planner does not know: for so many rows of a smaller table it would sort them all, before the first is compared.
	return sortedRows(list, firstRows(list, matching, sql<number>`(select ${count}::int)`), isHit);
}

/** The rows of the page, among those of the groups that begin first. */
function ofGroups(list: List, { ids, column, matching }: RowGroups): RawBuilder<unknown> {
	const rowsOf = (group: RawBuilder<unknown>, count?: number) =>
		firstRows(list, matching.where(sql<boolean>`${sql.ref(column)} = ${group}`), count);
	return sql`
		select page.* from (
			select groups.id as group_id from (${ids}) as groups
				cross join lateral (${rowsOf(sql`groups.id`, 1)}) as beginnings
			${orderedBy(list.walked, walkedNames(list, 'beginnings'))} limit ${reachOf(list)}
		) as nearest cross join lateral (${rowsOf(sql`nearest.group_id`)}) as page`;
}
