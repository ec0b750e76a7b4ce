import {
	type ApiError,
	type ApiErrorOptions,
	apiError,
	type ErrorDefinition,
	errorFactory,
	errorPicker,
	type Page,
	type SortCriterion,
} from '@paddock/contract';
import { type ListOrder, type Queryable, type Refusals, refusals } from '@paddock/database';
import { id, type ParameterSchema, type WithInstants } from '@paddock/service';
import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import { sentence } from './crud-declaration.ts';
import { crudQueries } from './crud-queries.ts';

/** What every record has: a UUID, a version that counts its changes, and the times of its creation and last change. */
export interface Identified {
	readonly id: string;
	readonly version: number;
	readonly createdAt: string;
	readonly updatedAt: string;
}

/** The id of the parent in its column, for records that belong to another one: `{ venueId }`. */
type ParentKey<Parent extends string> = { readonly [Column in Parent]: string };

export type RecordKey<Parent extends string> = ParentKey<Parent> & { readonly id: string };

type SortField<Query> = Query extends { sort?: readonly SortCriterion<infer Field>[] | undefined }
	? Field
	: never;

/** What is special about one table, in camelCase. With `q`, hits at the beginning of a text come before the default order. */
export interface CrudTableDeclaration<
	Schema,
	Table extends keyof Schema,
	Rec,
	Body,
	Query,
	Parent extends string,
	Code extends string,
> extends ListOrder<SortField<Query>> {
	/** `age class`; for messages and, in camelCase, for operation ids. */
	readonly noun: string;
	/** `row` has its instants as text. */
	readonly toRecord: (row: WithInstants<Selectable<Schema[Table]>>) => Rec;
	/** The columns that a client writes. */
	readonly toRow: (body: Body) => Omit<Insertable<Schema[Table]>, Parent>;
	/** The query of the list, with `collectionParameters`. Any other parameter selects the rows whose column has one of its values. */
	readonly query: ParameterSchema & z.ZodType<Query>;
	/** The code of each unique or exclusion constraint. */
	readonly taken?: Readonly<Record<string, Code>>;
	/** The errors of further constraints, such as the table's own foreign keys. */
	readonly refusals?: Refusals;
	/** The code when a foreign key of another table refuses a deletion or a change. */
	readonly inUse?: Code;
	/** The message of `inUse` for a change of the codes by which others refer to the record. */
	readonly codeInUse?: string;
	/** For records that belong to another one. */
	readonly parent?: {
		readonly column: Parent;
		readonly foreignKey: string;
		readonly table: ParentTable<Schema>;
	};
	/** Runs in the transaction before a row is inserted or updated. */
	readonly beforeWrite?: (db: Queryable<Schema>, body: Body) => Promise<void>;
}

interface ParentTable<Schema> {
	get(db: Queryable<Schema>, key: { readonly id: string }): Promise<unknown>;
	notFound(cause?: unknown): ApiError;
}

/** The queries of one table, and the errors that they can end with. */
export interface CrudTable<Schema, Rec, Body, Query, Parent extends string = never> {
	/** @throws ApiError NOT_FOUND if the parent does not exist. */
	list(db: Queryable<Schema>, query: Query, parent: ParentKey<Parent>): Promise<Page<Rec>>;
	find(db: Queryable<Schema>, key: RecordKey<Parent>): Promise<Rec | undefined>;
	/** @throws ApiError NOT_FOUND */
	get(db: Queryable<Schema>, key: RecordKey<Parent>): Promise<Rec>;
	/**
	 * Locks the row until the end of the transaction, but not against foreign keys that are checked against it: the
	 * transaction that does so may hold a lock that this one waits for.
	 * @throws ApiError NOT_FOUND
	 */
	lock(db: Queryable<Schema>, key: RecordKey<Parent>): Promise<Rec>;
	/** @throws ApiError with the code of the constraint; NOT_FOUND if the parent does not exist. */
	insert(db: Queryable<Schema>, body: Body, parent: ParentKey<Parent>): Promise<Rec>;
	/** Counts the version up. @throws ApiError with the code of the constraint, `inUse` included. */
	update(db: Queryable<Schema>, key: RecordKey<Parent>, body: Body): Promise<Rec>;
	/** @throws ApiError `inUse` */
	delete(db: Queryable<Schema>, key: RecordKey<Parent>): Promise<void>;
	readonly noun: string;
	notFound(cause?: unknown): ApiError;
	/** The failure of a record that others refer to. */
	inUse(options: ApiErrorOptions): ApiError;
	readonly codeInUse: string | undefined;
	readonly query: ParameterSchema & z.ZodType<Query>;
	readonly parent: Parent | undefined;
	/** Rows of the error table: `taken` for writes, `inUse` for the deletion. */
	readonly errors: Readonly<Record<'taken' | 'inUse', Readonly<Record<string, ErrorDefinition>>>>;
}

/** Makes the `crudTable` function of one context: `const crudTable = crudTablesWith<MasterdataSchema>()(masterdataErrors)`. */
export function crudTablesWith<Schema>() {
	return <Code extends string>(definitions: Readonly<Record<Code, ErrorDefinition>>) => {
		const failWith = errorFactory(definitions);
		const named = errorPicker(definitions);
		return <
			Table extends keyof Schema & string,
			Rec extends Identified,
			Body extends object,
			Query extends object,
			Parent extends string = never,
		>(
			table: Table,
			declaration: CrudTableDeclaration<Schema, Table, Rec, Body, Query, Parent, Code>,
		): CrudTable<Schema, Rec, Body, Query, Parent> => {
			const { noun, taken = {}, inUse, parent, codeInUse, query } = declaration;
			const errors = {
				notFound: (cause?: unknown) =>
					apiError('NOT_FOUND', { message: `${sentence(noun)} not found.`, cause }),
				inUse: (options: ApiErrorOptions) => {
					if (inUse === undefined) throw new TypeError(`${table} declares no code for a ${noun} in use.`);
					return failWith(inUse, options);
				},
			};
			const refused: Refusals = {
				...refusals(failWith, taken),
				...(parent === undefined ? {} : { [parent.foreignKey]: parent.table.notFound }),
				...declaration.refusals,
			};
			return {
				...crudQueries(table, declaration, { ...errors, refusals: refused }),
				...errors,
				noun,
				codeInUse,
				query,
				parent: parent?.column,
				errors: {
					taken: named(...Object.values<Code>(taken)),
					inUse: named(...(inUse === undefined ? [] : [inUse])),
				},
			};
		};
	};
}

type Parameters = Readonly<Record<string, string>>;

/** The parameters of a collection (undefined without a parent) and of its records, and the columns that they select. */
export function pathKeys<Parent extends string>(parameter: string, parent: Parent | undefined) {
	const parentOf = (params: Parameters | undefined) =>
		// Without a parent the type has no columns either.
		(parent === undefined ? {} : { [parent]: params?.['id'] }) as ParentKey<Parent>;
	const parentParameters: Record<string, typeof id> = parent === undefined ? {} : { id };
	return {
		collection: parent === undefined ? undefined : z.strictObject(parentParameters),
		record: z.strictObject({ ...parentParameters, [parameter]: id }),
		parentOf,
		recordOf: (params: Parameters) => ({ ...parentOf(params), id: params[parameter] }) as RecordKey<Parent>,
		/** The address of the collection that holds the record. */
		pathOf: (path: string, record: object) =>
			parent === undefined ? path : path.replace('{id}', String(Reflect.get(record, parent))),
	};
}
