import type { ApiError, ApiErrorOptions, SortCriterion } from '@paddock/contract';
import {
	isForeignKeyViolation,
	isOneOf,
	type ListOrder,
	listPage,
	matchesAny,
	type Queryable,
	type Refusals,
	refusing,
	textMatches,
	textQuery,
} from '@paddock/database';
import { pageRequest, withInstants } from '@paddock/service';
import { type Generated, type Kysely, type Selectable, sql } from 'kysely';
import type { CrudTable, CrudTableDeclaration, Identified, RecordKey } from './crud-table.ts';

/** The columns that any table has; of the others only their names are known here. */
interface Row {
	id: Generated<string>;
	version: Generated<number>;
	updatedAt: Date;
	[column: string]: unknown;
}

type ListQuery = Parameters<typeof pageRequest>[0] & {
	readonly sort?: readonly SortCriterion<string>[];
	readonly q?: string;
	readonly updatedSince?: string;
};

interface Failures {
	readonly notFound: (cause?: unknown) => ApiError;
	readonly inUse: (options: ApiErrorOptions) => ApiError;
	readonly refusals: Refusals;
}

type Queries = 'list' | 'find' | 'get' | 'lock' | 'insert' | 'update' | 'delete';

export function crudQueries<
	Schema,
	Table extends keyof Schema & string,
	Rec extends Identified,
	Body,
	Query extends object,
	Parent extends string,
	Code extends string,
>(
	table: string,
	declaration: CrudTableDeclaration<Schema, Table, Rec, Body, Query, Parent, Code>,
	{ notFound, inUse, refusals }: Failures,
): Pick<CrudTable<Schema, Rec, Body, Query, Parent>, Queries> {
	const { parent, beforeWrite } = declaration;
	const toRecord = (row: unknown) =>
		declaration.toRecord(withInstants(row as Selectable<Schema[Table]> & object));
	const matching = (db: Queryable<Schema>, key: RecordKey<Parent>) =>
		rowsOf(db)
			.selectFrom(table)
			.selectAll()
			.where((eb) => eb.and(key));
	const refuseInUse = async <Result>(write: Promise<Result>, message?: string): Promise<Result> => {
		try {
			return await refusing(refusals, write);
		} catch (cause) {
			if (declaration.inUse === undefined || !isForeignKeyViolation(cause)) throw cause;
			throw inUse({ cause, ...(message === undefined ? {} : { message }) });
		}
	};
	const recordOf = (row: unknown) => {
		if (row === undefined) throw notFound();
		return toRecord(row);
	};
	return {
		list: async (db, query, parentKey) => {
			const page = await selectList(db, table, declaration, query, parentKey);
			if (parent !== undefined && page.pagination.totalElements === 0)
				await parent.table.get(db, { id: parentKey[parent.column] });
			return { ...page, items: page.items.map(toRecord) };
		},
		find: async (db, key) => {
			const row = await matching(db, key).executeTakeFirst();
			return row === undefined ? undefined : toRecord(row);
		},
		get: async (db, key) => recordOf(await matching(db, key).executeTakeFirst()),
		lock: async (db, key) => recordOf(await matching(db, key).forNoKeyUpdate().executeTakeFirst()),
		insert: async (db, body, parentKey) => {
			await beforeWrite?.(db, body);
			const values = { ...declaration.toRow(body), ...parentKey };
			const insert = rowsOf(db).insertInto(table).values(values).returningAll();
			return toRecord(await refusing(refusals, insert.executeTakeFirstOrThrow()));
		},
		update: async (db, key, body) => {
			await beforeWrite?.(db, body);
			const update = rowsOf(db)
				.updateTable(table)
				.set({ ...declaration.toRow(body), version: sql<number>`version + 1` })
				.where((eb) => eb.and(key))
				.returningAll();
			return toRecord(await refuseInUse(update.executeTakeFirstOrThrow(), declaration.codeInUse));
		},
		delete: async (db, key) => {
			const deletion = rowsOf(db)
				.deleteFrom(table)
				.where((eb) => eb.and(key));
			await refuseInUse(deletion.execute());
		},
	};
}

function selectList<Schema, Query extends object>(
	db: Queryable<Schema>,
	table: string,
	order: ListOrder<string>,
	given: Query,
	parentKey: object,
) {
	const { q, sort, updatedSince, ...others }: ListQuery = { ...given };
	const { page, size, limit, offset, cursor, exactTotal, ...columns } = others;
	const filters = Object.entries({ ...columns, ...parentKey }).filter(([, value]) => value !== undefined);
	const rows = rowsOf(db);
	let all = rows.selectFrom(table);
	for (const [column, value] of filters) all = all.where(column, Array.isArray(value) ? 'in' : '=', value);
	if (updatedSince !== undefined) all = all.where('updatedAt', '>=', new Date(updatedSince));
	const text = q === undefined ? undefined : textQuery(q);
	return listPage(rows, text === undefined ? all : all.where(textMatches('searchText', text)), {
		request: pageRequest(given),
		sort,
		order: { ...order, indexed: [...(order.indexed ?? []), 'updatedAt'] },
		rank: text && sql<number>`case when ${matchesAny('searchText', text.start)} then 0 else 1 end`,
		find: async (ids) => {
			const found = await rows.selectFrom(table).selectAll().where(isOneOf('id', ids)).execute();
			return found as unknown as readonly Identified[];
		},
	});
}

// Kysely can't name a table of a schema that is a type parameter.
function rowsOf<Schema>(db: Queryable<Schema>): Kysely<Record<string, Row>> {
	return db as unknown as Kysely<Record<string, Row>>;
}
