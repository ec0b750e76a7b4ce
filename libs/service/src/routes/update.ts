import { isDeepStrictEqual } from 'node:util';
import { apiError, refuseInvalid } from '@paddock/contract';
import { z } from 'zod';
import { fieldErrors, fieldMessage } from '../fields/field-errors.ts';
import { refuseServerOwnedChanges } from './conditions.ts';
import { formerNameOf, withPresentNames } from './former-names.ts';
import { parseBody } from './input.ts';
import type { Route } from './route.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a record that a request changes; the other ones stay. */
export interface Update<Body> {
	/** The fields in the body, as the client sent them; null clears one. */
	readonly named: Fields;
	/**
	 * The complete body: the writable fields of the stored record, with the named ones changed (RFC 7396). Call it with
	 * the record as it was read, and again with the locked one: without `If-Match`, a named field that another request
	 * changed in between is a conflict.
	 * @param anyValue server-owned fields that may have any value, because they change without a new version
	 * @throws ApiError VALIDATION_ERROR with all invalid fields, server-owned ones with another value included; CONFLICT
	 */
	onto(stored: object, anyValue?: readonly string[]): Body;
}

/** @throws ApiError VALIDATION_ERROR for a body that is invalid with any record. */
export function updateOf({ body, ...route }: Route<never>, sent: unknown): Update<unknown> {
	if (!(body instanceof z.ZodObject))
		throw new TypeError(`${route.operationId} updates: its body is an object.`);
	if (!isObject(sent)) return parseBody(body, sent as never) as never; // Throws.
	const owned = serverOwnedFields({ body, ...route });
	const entries = Object.entries(sent);
	const written = Object.fromEntries(entries.filter(([name]) => !owned.has(name)));
	const patchOf = (stored?: object) => withPresentNames(body, written, stored) as Fields;
	const patch = patchOf();
	const result = patchSchema(body).safeParse(patch, { error: fieldMessage });
	if (!result.success) refuseInvalid(fieldErrors(result.error, patch));
	let seen: Fields | undefined;
	return {
		named: patch,
		onto: (stored, anyValue = []) => {
			const repeated = entries.filter(([name]) => owned.has(name) && !anyValue.includes(name));
			refuseServerOwnedChanges(
				withPresentNames(route.output, Object.fromEntries(repeated), stored) as Fields,
				stored,
			);
			const present = picked(stored, Object.keys(body.shape));
			const changes = patchOf(present);
			requireUnchanged(changes, seen ?? present, present);
			seen ??= present;
			return parseBody(body, merged(body, present, changes));
		},
	};
}

/** @throws ApiError CONFLICT naming the fields of the patch that were changed in between, unless to the same value. */
function requireUnchanged(patch: Fields, seen: Fields, present: Fields): void {
	const fields = Object.keys(patch).filter(
		(name) => !isDeepStrictEqual(seen[name], present[name]) && !isDeepStrictEqual(patch[name], present[name]),
	);
	if (fields.length === 0) return;
	throw apiError('CONFLICT', {
		message: 'Another request has changed these fields. Read the record again.',
		context: { fields },
	});
}

/** The patch applied to a value: objects are merged, null removes, anything else replaces. */
function merged(schema: unknown, value: unknown, patch: Fields): Fields {
	const shape = shapeOf(schema);
	const result: Record<string, unknown> = isObject(value) ? { ...value } : {};
	for (const [name, change] of Object.entries(patch)) {
		const field = shape[name];
		if (change === null && field?.safeParse(null).success !== true) delete result[name];
		else result[name] = isObject(change) ? merged(field, result[name], change) : change;
	}
	return result;
}

const patchSchemas = new WeakMap<z.ZodType, z.ZodType>();

/** Built once per route. */
function patchSchema(body: z.ZodType): z.ZodType {
	const known = patchSchemas.get(body) ?? partial(body);
	patchSchemas.set(body, known);
	return known;
}

/** The schema of a patch: all fields are optional, those of objects too; null stands for the default. */
function partial(schema: z.ZodType): z.ZodType {
	if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
		return partial(schema.unwrap() as z.ZodType).nullable();
	if (schema instanceof z.ZodNullable) return partial(schema.unwrap() as z.ZodType).nullable();
	if (!(schema instanceof z.ZodObject)) return schema;
	const fields = Object.entries(schema.shape).map(([name, field]) => [
		name,
		partial(field as z.ZodType).optional(),
	]);
	return z.strictObject(Object.fromEntries(fields));
}

function shapeOf(schema: unknown): Readonly<Record<string, z.ZodType>> {
	if (schema instanceof z.ZodObject) return schema.shape;
	if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
		return shapeOf(schema.unwrap());
	return {};
}

/** The fields of the output that the body does not set; an update may repeat them. @throws TypeError unless both are objects */
export function serverOwnedFields({
	operationId,
	updates,
	body,
	output,
}: Pick<Route<never>, 'operationId' | 'updates' | 'body' | 'output'>): ReadonlySet<string> {
	if (updates === undefined) return new Set();
	if (!(output instanceof z.ZodObject && body instanceof z.ZodObject))
		throw new TypeError(`${operationId} updates a record: its body and output must be objects.`);
	const owned = Object.entries(output.shape).filter(([name]) => !Object.hasOwn(body.shape, name));
	return new Set(owned.flatMap(([name, field]) => [name, formerNameOf(field as z.ZodType) ?? name]));
}

function picked(record: object, names: readonly string[]): Fields {
	const known = names.filter((name) => Reflect.get(record, name) !== undefined);
	return Object.fromEntries(known.map((name) => [name, Reflect.get(record, name)]));
}

function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
