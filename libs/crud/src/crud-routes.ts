import { historyRoute } from '@paddock/context';
import { commonErrors } from '@paddock/contract';
import { type Idempotent, inTransaction, once } from '@paddock/database';
import { pageSchema, type Route, requireVersion, routesWith, updatesWith } from '@paddock/service';
import {
	type CrudRoutesDeclaration,
	type CrudSetup,
	pascalCase,
	sentence,
	withArticle,
} from './crud-declaration.ts';
import { type Identified, pathKeys } from './crud-table.ts';
import { lostCodes, requireSameCodes, requireUnused } from './referenced-codes.ts';

/**
 * Makes the `crudRoutes` function of one context:
 * `const crudRoutes = crudRoutesWith<MasterdataDeps, MasterdataSchema>({ tag: 'masterdata', … })`.
 * It declares seven routes: list, get, create (once per Idempotency-Key), change (PUT and PATCH) and delete, these three
 * with `If-Match`, and the history.
 */
export function crudRoutesWith<Deps, Schema extends Idempotent>(setup: CrudSetup<Deps, Schema>) {
	return <Rec extends Identified, Body extends object, Query, Parent extends string = never>(
		declaration: CrudRoutesDeclaration<Deps, Schema, Rec, Body, Query, Parent>,
	): readonly Route<Deps>[] => {
		const crud = crudOf(setup, declaration);
		return [...reading(crud), createRoute(crud), ...updateRoutes(crud), deleteRoute(crud), history(crud)];
	};
}

type Crud<Deps, Schema, Rec extends Identified, Body, Query, Parent extends string> = ReturnType<
	typeof crudOf<Deps, Schema, Rec, Body, Query, Parent>
>;

function crudOf<Deps, Schema, Rec extends Identified, Body, Query, Parent extends string>(
	setup: CrudSetup<Deps, Schema>,
	declaration: CrudRoutesDeclaration<Deps, Schema, Rec, Body, Query, Parent>,
) {
	const { path, table, parameter = 'id' } = declaration;
	return {
		...setup,
		...declaration,
		recordPath: `${path}/{${parameter}}` as const,
		keys: pathKeys(parameter, table.parent),
		kind: pascalCase(table.noun),
		one: withArticle(table.noun),
		title: sentence(table.noun),
		route: routesWith<Deps>(setup.tag),
		update: updatesWith<Deps>(setup.tag),
	};
}

function reading<Deps, Schema, Rec extends Identified, Body, Query, Parent extends string>(
	crud: Crud<Deps, Schema, Rec, Body, Query, Parent>,
): readonly Route<Deps>[] {
	const { access, cacheControl, db, table, keys, plural, route } = crud;
	return [
		route({
			method: 'get',
			path: crud.path,
			operationId: `list${pascalCase(plural)}`,
			summary: `List ${plural}`,
			access: access.read,
			readers: 'everyone',
			params: keys.collection,
			query: table.query,
			output: pageSchema(crud.record).meta({ id: `${crud.kind}Page` }),
			message: sentence(plural),
			etag: 'content',
			cacheControl: cacheControl.list,
			mayLag: true,
			handler: ({ params, query }, deps) => table.list(db(deps), query, keys.parentOf(params)),
		}),
		route({
			method: 'get',
			path: crud.recordPath,
			operationId: `get${crud.kind}`,
			summary: `Get ${crud.one}`,
			access: access.read,
			readers: 'everyone',
			params: keys.record,
			output: crud.record,
			message: crud.title,
			etag: 'version',
			cacheControl: cacheControl.record,
			handler: ({ params }, deps) => table.get(db(deps), keys.recordOf(params)),
		}),
	];
}

function createRoute<
	Deps,
	Schema extends Idempotent,
	Rec extends Identified,
	Body extends object,
	Query,
	Parent extends string,
>(crud: Crud<Deps, Schema, Rec, Body, Query, Parent>): Route<Deps> {
	const { path, table, keys } = crud;
	const operationId = `create${crud.kind}`;
	return crud.route({
		method: 'post',
		path,
		operationId,
		summary: `Add ${crud.one}`,
		access: crud.access.write,
		writers: 'office',
		params: keys.collection,
		body: crud.body,
		idempotent: true,
		output: crud.record,
		status: 201,
		message: `${crud.title} created`,
		location: (record) => `${keys.pathOf(path, record)}/${record.id}`,
		etag: 'version',
		errors: table.errors.taken,
		handler: (request, deps) => {
			const { params, body } = request;
			return once(crud.db(deps), request, {
				operationId,
				input: { params, body },
				check: async () => crud.check?.(deps, body, undefined, request),
				effect: (transaction) => table.insert(transaction, body, keys.parentOf(params)),
			});
		},
	});
}

function updateRoutes<
	Deps,
	Schema,
	Rec extends Identified,
	Body extends object,
	Query,
	Parent extends string,
>(crud: Crud<Deps, Schema, Rec, Body, Query, Parent>): readonly Route<Deps>[] {
	const { table, keys, db, replacing } = crud;
	return crud.update({
		path: crud.recordPath,
		operationId: `replace${crud.kind}`,
		summary: `Change ${crud.one}`,
		...(replacing === undefined ? {} : { description: replacing }),
		access: crud.access.write,
		writers: 'office',
		params: keys.record,
		body: crud.body,
		output: crud.record,
		message: `${crud.title} updated`,
		etag: 'version',
		errors: { ...table.errors.taken, ...(table.codeInUse === undefined ? {} : table.errors.inUse) },
		handler: async (request, deps) => {
			const { params, update, preconditions } = request;
			const key = keys.recordOf(params);
			const seen = await table.get(db(deps), key);
			requireVersion(preconditions, seen.version);
			const body = update.onto(seen);
			const lost = lostCodes(crud.referencedAs, seen, { ...seen, ...body });
			if (lost !== undefined) await requireUnused(crud, deps, lost, request, table.codeInUse);
			await crud.check?.(deps, body, seen, request);
			return inTransaction(db(deps), async (transaction) => {
				const stored = await table.lock(transaction, key);
				requireVersion(preconditions, stored.version);
				if (lost !== undefined) requireSameCodes(crud.referencedAs, seen, stored);
				return table.update(transaction, key, update.onto(stored));
			});
		},
	});
}

function deleteRoute<Deps, Schema, Rec extends Identified, Body, Query, Parent extends string>(
	crud: Crud<Deps, Schema, Rec, Body, Query, Parent>,
): Route<Deps> {
	const { table, keys, db, deleting } = crud;
	return crud.route({
		method: 'delete',
		path: crud.recordPath,
		operationId: `delete${crud.kind}`,
		summary: `Delete ${crud.one}`,
		...(deleting === undefined ? {} : { description: deleting }),
		access: crud.access.write,
		writers: 'office',
		params: keys.record,
		output: crud.record,
		message: `${crud.title} deleted`,
		precondition: true,
		errors: {
			...table.errors.inUse,
			...(table.codeInUse === undefined ? {} : { CONFLICT: commonErrors.CONFLICT }),
		},
		handler: async (request, deps) => {
			const { params, preconditions } = request;
			const key = keys.recordOf(params);
			const seen = await table.get(db(deps), key);
			requireVersion(preconditions, seen.version);
			if (crud.referencedAs !== undefined) await requireUnused(crud, deps, crud.referencedAs(seen), request);
			return inTransaction(db(deps), async (transaction) => {
				const stored = await table.lock(transaction, key);
				requireVersion(preconditions, stored.version);
				requireSameCodes(crud.referencedAs, seen, stored);
				await table.delete(transaction, key);
				return stored;
			});
		},
	});
}

function history<Deps, Schema, Rec extends Identified, Body, Query, Parent extends string>(
	crud: Crud<Deps, Schema, Rec, Body, Query, Parent>,
): Route<Deps> {
	const { table, keys, db } = crud;
	return historyRoute<Deps, typeof keys.record>({
		tag: crud.tag,
		recordPath: crud.recordPath,
		noun: table.noun,
		operationId: `get${crud.kind}History`,
		access: crud.access.write,
		params: keys.record,
		recordId: (params) => keys.recordOf(params).id,
		db: (deps) => db(deps) as never,
		seen: async ({ params }, deps) => {
			await table.get(db(deps), keys.recordOf(params));
			return 'all';
		},
		description: 'For those who may change the record.',
	});
}
