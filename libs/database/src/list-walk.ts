import { type Kysely, type RawBuilder, sql } from 'kysely';
import { inTransaction } from './in-transaction.ts';
import { amongFew, ofCandidates } from './list-candidates.ts';
import { invalidCursor } from './list-cursor.ts';
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
} from './list-rows.ts';

/** How many rows are compared with a text along the index of the order: hits can be far from where a page begins. */
const comparedMax = 10_000;
/** Tied rows that are sorted if a page of them is not near where it begins. More are a large part of all, so it is not far. */
const farTie = 100_000;

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
	return inTransaction(db, (transaction) => read({ ...list, db: transaction }), { isolation });
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
	const { rows, counted } = await ofCandidates(tie);
	return counted <= tie.sortedMax ? rows : inOrder(tie);
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
	const near = await nearby(list, tie);
	if (near.length > list.request.size) return near;
	const { rows, counted } = await ofCandidates({ ...list, max: farTie, sortedMax: farTie });
	return counted <= farTie ? rows : undefined;
}

/** The page of the hits, if these are near where it begins; otherwise all hits are sorted. */
async function compared(list: List, searched: SearchedRows): Promise<readonly KeyedRow[]> {
	const near = await nearby(list, searched);
	if (near.length > list.request.size) return near;
	// `offset` keeps the planner from the index of the order.
	return sortedRows(list, keyedRows(list, list.matching).offset(0));
}

/** The hits among the rows where the page begins. */
function nearby(list: List, { matching, isHit }: SearchedRows): Promise<readonly KeyedRow[]> {
	// A number that the planner does not know: for so many rows of a smaller table it would sort them all, before the first is compared.
	return sortedRows(list, firstRows(list, matching, sql<number>`(select ${comparedMax}::int)`), isHit);
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
