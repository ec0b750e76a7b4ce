import { apiError, type FieldError } from '@paddock/contract';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { bounded, fieldErrors, fieldMessage } from '../fields/field-errors.ts';
import { isSeparated } from '../fields/paging.ts';
import { formerNameOf, withPresentNames } from './former-names.ts';
import type { ParameterSchema, Route } from './route.ts';

const nothing = z.strictObject({});

interface RawInput {
	params: Readonly<Record<string, unknown>>;
	/** The raw text after `?`, without it. */
	search: string;
	body: unknown;
}

type QueryValues = Record<string, string | string[]>;

/**
 * @throws ApiError INVALID_ID, INVALID_QUERY_PARAMETER or VALIDATION_ERROR, each with all invalid fields of its part.
 */
export function parseInput<Deps>(route: Route<Deps>, raw: RawInput) {
	const params = parsePart(route.params ?? nothing, raw.params, 'INVALID_ID');
	const query = parseQuery(route.query ?? nothing, raw.search);
	const { body, updates } = route;
	const isWhole = body !== undefined && updates !== true; // See `updateOf`.
	return { params, query, body: isWhole ? parsePart(body, raw.body, 'VALIDATION_ERROR') : undefined };
}

/** Checks a body that is made of a request and stored data. @throws ApiError VALIDATION_ERROR with all invalid fields */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: z.input<Schema>): z.output<Schema> {
	return parsePart(schema, body, 'VALIDATION_ERROR') as z.output<Schema>;
}

function parsePart(schema: z.ZodType, input: unknown, code: 'INVALID_ID' | 'VALIDATION_ERROR'): unknown {
	const result = schema.safeParse(input, { error: fieldMessage });
	if (result.success) return result.data;
	throw apiError(code, { errors: fieldErrors(result.error, input) });
}

function parseQuery(schema: ParameterSchema, search: string): unknown {
	const { values, errors } = readQuery(search, {
		lists: namesOf(schema, isList),
		separated: namesOf(schema, isSeparated),
		isRead: ignoresUnknown(schema) ? (name) => Object.hasOwn(schema.shape, name) : () => true,
	});
	const present = withPresentNames(schema, values) as QueryValues;
	const result = schema.safeParse(present, { error: fieldMessage });
	const refused = new Set(errors.map(({ field }) => field));
	const invalid = result.success ? [] : fieldErrors(result.error, present).map(withoutPosition);
	// A parameter that can't be decoded is not missing.
	const all = [...errors, ...invalid.filter(({ code, field }) => code !== 'REQUIRED' || !refused.has(field))];
	if (all.length > 0) {
		const declared = Object.keys(schema.shape);
		const errors = bounded(all).map((error) => withSuggestion(error, declared));
		throw apiError('INVALID_QUERY_PARAMETER', { errors });
	}
	return result.data;
}

/** `status[1]` → `status`: the caller wrote one parameter. */
function withoutPosition(error: FieldError): FieldError {
	return { ...error, field: error.field.replace(/\[\d+\]$/, '') };
}

/** Whether unknown parameters have no effect; others are refused. True of `z.object`, false of `z.strictObject`. */
export function ignoresUnknown(schema: ParameterSchema): boolean {
	return schema.def.catchall === undefined;
}

/** The parameters of a kind, under their former names too. */
function namesOf({ shape }: ParameterSchema, isOfKind: (part: z.ZodType) => boolean): ReadonlySet<string> {
	const parts = Object.entries(shape as Readonly<Record<string, z.ZodType>>);
	return new Set(parts.flatMap(([name, part]) => (isOfKind(part) ? [name, formerNameOf(part) ?? name] : [])));
}

function isList(part: unknown): boolean {
	return part instanceof z.ZodArray || (part instanceof z.ZodOptional && isList(part.unwrap()));
}

function readQuery(
	search: string,
	{
		lists,
		separated,
		isRead,
	}: {
		readonly lists: ReadonlySet<string>;
		/** Those of the lists whose values are separated by commas. */
		readonly separated: ReadonlySet<string>;
		readonly isRead: (name: string) => boolean;
	},
): { values: QueryValues; errors: FieldError[] } {
	// Without a prototype, a parameter named __proto__ is an ordinary, unknown name.
	const values: QueryValues = Object.create(null);
	const errors: FieldError[] = [];
	for (const pair of search.split('&')) {
		if (pair === '') continue;
		const [rawName = '', ...rest] = pair.split('=');
		const name = decoded(rawName);
		if (!isRead(name ?? rawName)) continue;
		const value = decoded(rest.join('='));
		if (name === undefined || value === undefined || value.includes('\0') || name.includes('\0')) {
			errors.push({
				field: name ?? rawName,
				code: 'INVALID_FORMAT',
				message: 'is not valid percent-encoded UTF-8',
			});
			continue;
		}
		if (lists.has(name)) {
			const added = separated.has(name) ? value.split(',') : [value];
			values[name] = [...new Set([...(values[name] ?? []), ...added])];
			continue;
		}
		if (name in values)
			errors.push({ field: name, code: 'INVALID_FORMAT', message: 'is given more than once' });
		values[name] = value;
	}
	return { values: { ...values }, errors };
}

function decoded(raw: string): string | undefined {
	try {
		return decodeURIComponent(raw.replaceAll('+', ' '));
	} catch {
		return undefined; // URIError is how JavaScript says "not valid"; the caller reports it.
	}
}

/** Adds the declared name that an unknown query parameter resembles: `is not known here; did you mean size?` */
function withSuggestion(error: FieldError, declared: readonly string[]): FieldError {
	if (error.code !== 'UNKNOWN_FIELD' || declared.length === 0 || declared.includes(error.field)) return error;
	const name = error.field.toLowerCase();
	const nearest = closest(name, declared as string[]);
	// A third of the letters: `ofset`, `page_size` for `pageSize`, but not `name` for `page`.
	const differencesMax = Math.floor(Math.max(name.length, nearest.length) / 3);
	if (distance(name, nearest.toLowerCase()) > differencesMax) return error;
	return { ...error, message: `${error.message}; did you mean ${nearest}?` };
}
