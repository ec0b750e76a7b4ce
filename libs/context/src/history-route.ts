import { ApiError } from '@paddock/contract';
import { type Change, listChanges, type Queryable } from '@paddock/database';
import { isOfficer } from '@paddock/identity';
import {
	type Access,
	type Call,
	idParameters,
	type ParameterSchema,
	pageParameters,
	pageRequest,
	pageSchema,
	type Route,
	routesWith,
} from '@paddock/service';
import { z } from 'zod';

/**
 * What a reader sees of the changes: all, for the office; or these fields, and neither reasons nor authors. The fields must be
 * such that a reader may know their values of any time, also of the time before the reader's right began.
 */
type SeenFields = 'all' | ReadonlySet<string>;

interface HistoryDeclaration<Deps, Params extends ParameterSchema> {
	readonly tag: string;
	/** Of the record, e.g. `/api/members/{id}`. */
	readonly recordPath: `/${string}`;
	/** `member` */
	readonly noun: string;
	/** `getMemberHistory` by default. */
	readonly operationId?: string;
	readonly access: Access;
	/** `idParameters` by default. */
	readonly params?: Params;
	/** The last of the parameters by default. */
	readonly recordId?: (params: z.output<Params>) => string;
	/** `deps.db` by default. */
	readonly db?: (deps: Deps) => Queryable<never>;
	/** The field of the record for each column that is not named like it: `{ phone: 'phoneNumber' }`. */
	readonly fields?: Readonly<Record<string, string>>;
	/** @throws ApiError NOT_FOUND if the caller must not see the record, or if it never existed */
	readonly seen: (request: Call & { readonly params: z.output<Params> }, deps: Deps) => Promise<SeenFields>;
	/** The errors of `seen` beyond NOT_FOUND. */
	readonly errors?: Route<Deps>['errors'];
	/** Who reads which part of the history, a sentence. */
	readonly description: string;
}

const author = z
	.strictObject({
		userId: z
			.uuid()
			.nullable()
			.describe('The account; null for a service, and if it is not shown to the caller.'),
		memberId: z.uuid().nullable().describe('The member of that account.'),
		roles: z.array(z.string()).describe('Roles of the account at that time.'),
		actingFor: z.uuid().nullable().describe('The member for whom a guardian or another person acted.'),
		service: z
			.string()
			.nullable()
			.describe(
				'The service that made the change by itself; null with `userId` null: not shown, or made past the services.',
			),
	})
	.meta({
		id: 'ChangeAuthor',
		description: 'Who made a change.',
		example: {
			userId: '5e0a1f7e-4d9f-4b8b-9a53-0d9b0b9a1c11',
			memberId: null,
			roles: ['MEMBER', 'FEDERATION_OFFICER'],
			actingFor: null,
			service: null,
		},
	});

const fieldChange = z
	.strictObject({
		name: z.string().describe('Name of the field; `address.city` of an inner one.'),
		before: z.unknown().describe('Value before the change; null if it was not set.'),
		after: z.unknown().describe('Value after the change; null if it is not set any more.'),
	})
	.meta({
		id: 'FieldChange',
		description: 'One changed field.',
		example: { name: 'feePaidForYear', before: 2025, after: 2026 },
	});

const recordChange = z
	.strictObject({
		id: z.uuid().describe('Id of the change.'),
		changedAt: z.iso.datetime().describe('When it was made.'),
		recordType: z.string().describe('Type of the record, or of the changed part of it, e.g. `MEMBER`.'),
		recordId: z.string().describe('Id of the record, or of the changed part of it.'),
		operation: z
			.enum(['CREATED', 'CHANGED', 'DELETED'])
			.meta({ id: 'ChangeOperation', description: 'What happened to the record or its part.' }),
		author,
		requestId: z.string().nullable().describe('`X-Request-Id` of the request.'),
		reason: z.string().nullable().describe('The reason in the request.'),
		fields: z
			.array(fieldChange)
			.describe(
				'Values before and after; of a creation none, of a deletion the values before. Secrets are never stored.',
			),
	})
	.meta({
		id: 'RecordChange',
		description: 'One change of a record.',
		example: {
			id: '0d5c9f0a-3f1e-4f7c-9a37-6d2e0d6f2b10',
			changedAt: '2026-03-02T09:15:27.412Z',
			recordType: 'MEMBER',
			recordId: '5f0c3a52-6a0e-4b55-8d5d-6c2c9f6d1a77',
			operation: 'CHANGED',
			author: author.meta()?.['example'],
			requestId: '3f2f6a0e-6e0e-4b7f-8f57-1f2b7c0f1d11',
			reason: null,
			fields: [{ name: 'feePaidForYear', before: 2025, after: 2026 }],
		},
	});

const page = pageSchema(recordChange).meta({ id: 'RecordChangePage' });

/** The route `GET {recordPath}/history`, for a context with a migration of `changeHistory`. */
export function historyRoute<Deps, Params extends ParameterSchema = typeof idParameters>(
	declaration: HistoryDeclaration<Deps, Params>,
): Route<Deps> {
	const { tag, recordPath, noun, access, params = idParameters as unknown as Params, seen } = declaration;
	const operationId = declaration.operationId ?? `get${noun.charAt(0).toUpperCase()}${noun.slice(1)}History`;
	const recordId = declaration.recordId ?? ((values) => String(Object.values(values).at(-1)));
	const db = declaration.db ?? ((deps) => Object(deps).db);
	return routesWith<Deps>(tag)({
		method: 'get',
		path: `${recordPath}/history`,
		operationId,
		summary: `List the changes of ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`,
		description: `Who changed what and when, newest first, for as long as HISTORY_DAYS keeps it. ${declaration.description}`,
		access,
		params,
		query: z.strictObject(pageParameters),
		output: page,
		message: 'Changes',
		cacheControl: 'private, no-cache',
		...(declaration.errors === undefined ? {} : { errors: declaration.errors }),
		readers: async (request, deps): Promise<Viewer> => {
			const call = request as unknown as Parameters<typeof seen>[0];
			const { userId } = call.principal;
			try {
				return { userId, fields: await seen(call, deps) };
			} catch (error) {
				// A deleted record keeps its history, for the office.
				if (isNotFound(error) && isOfficer(call.principal)) return { userId, fields: 'all', notFound: error };
				throw error;
			}
		},
		handler: async ({ params: values, query, viewer }, deps) => {
			const id = recordId(values as z.output<Params>);
			const columns = viewer.fields === 'all' ? undefined : columnsOf(viewer.fields, declaration.fields);
			const { items, pagination } = await listChanges(db(deps), id, pageRequest(query), columns);
			if (viewer.notFound !== undefined && items.length === 0) throw viewer.notFound;
			return {
				items: items.map((change) => shownChange(change, viewer, declaration.fields)),
				pagination,
			};
		},
	});
}

interface Viewer {
	readonly userId: string;
	readonly fields: SeenFields;
	readonly notFound?: ApiError;
}

function isNotFound(error: unknown): error is ApiError {
	return error instanceof ApiError && error.status === 404;
}

type FieldNames = Readonly<Record<string, string>>;

const isSeen = (seen: ReadonlySet<string>, name: string) => seen.has(name.split('.', 1)[0] ?? name);

/** The columns that are shown as one of these fields, as `Change` names them: a change of hidden fields only is hidden, too. */
function columnsOf(seen: ReadonlySet<string>, names: FieldNames = {}): readonly string[] {
	const unnamed = [...seen].filter((name) => names[name] === undefined);
	const named = Object.entries(names).filter(([, name]) => isSeen(seen, name));
	return [...unnamed, ...named.map(([column]) => column)];
}

function shownChange(
	{ author, fields, ...change }: Change,
	{ userId: callerId, fields: seen }: Viewer,
	names: FieldNames = {},
): z.output<typeof recordChange> {
	const named = fields.map((field) => ({ ...field, name: names[field.name] ?? field.name }));
	const isWhole = seen === 'all' || author?.userId === callerId;
	return {
		...change,
		author: {
			userId: (isWhole ? author?.userId : null) ?? null,
			memberId: (isWhole ? author?.memberId : null) ?? null,
			roles: isWhole ? [...(author?.roles ?? [])] : [],
			actingFor: (isWhole ? author?.actingFor : null) ?? null,
			service: author?.service ?? null,
		},
		requestId: (isWhole ? author?.requestId : null) ?? null,
		reason: (seen === 'all' ? author?.reason : null) ?? null,
		fields: seen === 'all' ? named : named.filter(({ name }) => isSeen(seen, name)),
	};
}
