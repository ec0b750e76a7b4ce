import { createHash } from 'node:crypto';
import {
	apiError,
	countedMax,
	invalidCursor,
	type Page,
	type PageRequest,
	pageOf,
	rankedMax,
	type SortCriterion,
} from '@paddock/contract';
import { z } from 'zod';
import { instant, isWrapper, queryBoolean, queryInteger, searchText } from './schemas.ts';

const pageSizeDefault = 50;
const pageSizeMax = 200;
const cursorCharsMax = 4_000;

export const pageParameters = {
	page: queryInteger(1, 1_000_000_000)
		.optional()
		.describe(
			`Number of the page, from 1, up to record ${countedMax}, of a search ${rankedMax}. Not together with \`limit\`, \`offset\` or \`cursor\`.`,
		),
	size: queryInteger(1, pageSizeMax).optional().describe(`Records per page; ${pageSizeDefault} if absent.`),
	limit: queryInteger(1, pageSizeMax)
		.optional()
		.describe('Records to return; with `offset` the alternative to `page` and `size`.'),
	offset: queryInteger(0, 1_000_000_000).optional().describe('Records to skip before the first one.'),
	cursor: z
		.string()
		.min(1)
		.max(cursorCharsMax)
		.optional()
		.describe(
			'The `nextCursor` of the page before, of the same list with the same filters and sort. Reads through a list of any length; records that are added or deleted in between shift no others.',
		),
	exactTotal: queryBoolean
		.optional()
		.describe(
			`Counts all records if there are more than ${countedMax}, in most searches ${rankedMax}; slow, for the federation’s office. FORBIDDEN for others, and in lists that read no token. A page by \`cursor\` repeats the total of the first one.`,
		),
};

/** @throws ApiError INVALID_QUERY_PARAMETER when two pagination styles are mixed */
export function pageRequest(query: z.output<z.ZodObject<typeof pageParameters>>): PageRequest {
	const { page, size, limit, offset, cursor, exactTotal, ...scope } = query;
	const byPage = page !== undefined || (size !== undefined && cursor === undefined);
	const byOffset = limit !== undefined || offset !== undefined;
	if (byPage && byOffset)
		throw invalidPaging(
			limit === undefined ? 'offset' : 'limit',
			'page/size and limit/offset exclude each other',
		);
	if (cursor !== undefined && (page !== undefined || byOffset))
		throw invalidPaging('cursor', 'goes with size only, not with page, limit or offset');
	const records = size ?? limit ?? pageSizeDefault;
	const skipped = offset ?? ((page ?? 1) - 1) * records;
	return {
		size: records,
		offset: skipped,
		scope: digestOf(scope),
		...(cursor === undefined ? {} : { cursor }),
		...(exactTotal === undefined ? {} : { exactTotal }),
	};
}

function invalidPaging(field: string, message: string) {
	return apiError('INVALID_QUERY_PARAMETER', { errors: [{ field, code: 'UNKNOWN_FIELD', message }] });
}

/** Names the filters and the sort of a list in its cursors. */
function digestOf(scope: Readonly<Record<string, unknown>>): string {
	const entries = Object.entries(scope).filter(([, value]) => value !== undefined);
	const text = JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

const collectionChars = 8;

/** Names a collection, which can be a part of a record, in its cursors. */
export function collectionOf(operationId: string, params: object): string {
	return digestOf({ ...params, operationId }).slice(0, collectionChars);
}

/** The query with its cursor as `pageRequest` takes it. @throws ApiError INVALID_QUERY_PARAMETER for a cursor of another collection */
export function withinCollection<Query extends object>(collection: string, query: Query): Query {
	const cursor: unknown = Reflect.get(query, 'cursor');
	if (typeof cursor !== 'string') return query;
	if (!cursor.startsWith(collection)) throw invalidCursor();
	return { ...query, cursor: cursor.slice(collectionChars) };
}

/** The page with the cursor as clients get it. */
export function pageOfCollection<Item>(collection: string, { items, pagination }: Page<Item>): Page<Item> {
	const { nextCursor } = pagination;
	return {
		items,
		pagination: { ...pagination, nextCursor: nextCursor === null ? null : `${collection}${nextCursor}` },
	};
}

/** The parameters of every collection, to be spread into its query schema; read the page with `pageRequest`. */
export function collectionParameters<const Field extends string>({
	of,
	text,
	sort,
}: {
	/** The kind of record, which names the parameter in the OpenAPI document: `Horse`. */
	readonly of: string;
	/** Description of `q`: the texts that it finds. */
	readonly text: string;
	/** In addition to the times of the record. */
	readonly sort: readonly Field[];
}) {
	return {
		q: searchText.optional().meta({
			param: { componentName: `${of}TextParameter` },
			description: `${text} Words may be in any order; one or two characters are looked for at the beginning of words, a single one alone finds whole words.`,
		}),
		updatedSince: instant.optional().describe('Changed at that instant or later.'),
		sort: sortParameter<Field | 'createdAt' | 'updatedAt'>([...sort, 'createdAt', 'updatedAt']).optional(),
		...pageParameters,
	};
}

const sortCharsMax = 500;

/** `sort=lastName,-dateOfBirth`, from a whitelist; each field at most once. */
export function sortParameter<Field extends string>(fields: readonly Field[]) {
	const names = fields.join(', ');
	return z
		.string()
		.max(sortCharsMax, `must have at most ${sortCharsMax} characters`)
		.transform((value, context): SortCriterion<Field>[] => {
			const criteria = value.split(',').map((part) => ({
				field: fields.find((field) => field === part.replace(/^-/, '')),
				descending: part.startsWith('-'),
			}));
			const known = criteria.filter((c): c is SortCriterion<Field> => c.field !== undefined);
			if (known.length < criteria.length || new Set(known.map((c) => c.field)).size < known.length) {
				context.addIssue({
					code: 'custom',
					message: `must list each of these at most once, - for descending: ${names}`,
				});
			}
			return known;
		})
		.meta({
			type: 'array',
			items: { type: 'string', enum: fields.flatMap((field) => [field, `-${field}`]) },
			minItems: 1,
			maxItems: fields.length,
			uniqueItems: true,
			param: { explode: false },
			description:
				'Comma-separated; - for descending; each field at most once. Of more than about 110000 hits of a search, an order that begins far from the first ones is refused (400).',
		});
}

export function pageSchema<T extends z.ZodType>(item: T) {
	return z
		.strictObject({
			items: z.array(item).describe('The records of this page, in the order of `sort`.'),
			pagination: paginationSchema,
		})
		.describe('One page of a list.');
}

const paginationSchema = z
	.strictObject({
		page: z.int().min(1).describe('Number of this page, from 1.'),
		size: z.int().min(1).max(pageSizeMax).describe('Largest number of records per page.'),
		totalElements: z
			.int()
			.min(0)
			.describe(
				`Number of records on all pages; ${countedMax}, in most searches ${rankedMax}, if there are more, see \`totalIsExact\`.`,
			),
		totalIsExact: z.boolean().describe('Whether `totalElements` is the exact number.'),
		totalPages: z.int().min(0).describe('Number of pages with `totalElements` records; 0 for an empty list.'),
		hasNext: z.boolean().describe('Whether a later page exists.'),
		hasPrevious: z.boolean().describe('Whether an earlier page exists.'),
		nextCursor: z
			.string()
			.nullable()
			.describe('Reads the next page as `cursor`; null on the last page. Opaque.'),
	})
	.meta({
		id: 'Pagination',
		description: 'Position of the page in the list.',
		// Examples of lists have one item.
		example: pageOf([{}], pageSizeDefault, {
			totalElements: 1,
			totalIsExact: true,
			before: 0,
			nextCursor: undefined,
		}).pagination,
	});

const valuesMax = 50;
/** Marks the values of a parameter as separated by commas, as in OpenAPI. */
const separated = { explode: false };

/** A filter by one or more values, `status=ACTIVE,SUSPENDED`. `componentName`: if another parameter has the name. */
export function filterValues<Value extends z.ZodType<string>>(value: Value, componentName?: string) {
	const param = { ...separated, ...(componentName === undefined ? {} : { componentName }) };
	return z.array(value).min(1).max(valuesMax).meta({ param });
}

/** Whether the values of a query parameter are separated by commas. */
export function isSeparated(schema: z.ZodType): boolean {
	if (schema instanceof z.ZodArray)
		return Reflect.get(Object(z.globalRegistry.get(schema)?.['param']), 'explode') === separated.explode;
	return isWrapper(schema) && isSeparated(schema.unwrap() as z.ZodType);
}
