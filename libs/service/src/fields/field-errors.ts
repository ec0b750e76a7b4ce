import { type FieldError, type FieldErrorCode, fieldErrorCodes } from '@paddock/contract';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

// Without these bounds the response to a body full of unknown fields would be many times its size.
const errorsMax = 100;
const fieldCharsMax = 200;

/** Converts a schema's issues with `input` to the contract's field errors. */
export function fieldErrors(error: z.ZodError, input: unknown): FieldError[] {
	return bounded(error.issues.flatMap((issue) => fieldErrorsOf(issue, input)));
}

/** The first errors, with field names shortened and well-formed for a response. */
export function bounded(errors: readonly FieldError[]): FieldError[] {
	return errors
		.slice(0, errorsMax)
		.map((error) => ({ ...error, field: error.field.slice(0, fieldCharsMax).toWellFormed() }));
}

function fieldErrorsOf(issue: Issue, input: unknown): FieldError[] {
	if (issue.code === 'unrecognized_keys') {
		return issue.keys.map((key) => ({
			field: fieldPath([...issue.path, key]),
			code: 'UNKNOWN_FIELD',
			message: 'is not known here',
		}));
	}
	const missing = issue.code !== 'custom' && valueAt(input, issue.path) === undefined;
	if (missing) return [{ field: fieldPath(issue.path), code: 'REQUIRED', message: 'is required' }];
	const meant = issue.code === 'invalid_union' ? meantBranch(issue.errors) : undefined;
	if (meant !== undefined)
		return meant.flatMap((inner) => fieldErrorsOf({ ...inner, path: [...issue.path, ...inner.path] }, input));
	return [{ field: fieldPath(issue.path), code: codeOf(issue), message: issue.message }];
}

/** The only branch of a union that accepts a value of this type; undefined if none or several do. */
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
	const [first, ...others] = branches.filter((issues) =>
		issues.every((issue) => issue.code !== 'invalid_type' || issue.path.length > 0),
	);
	return others.length === 0 ? first : undefined;
}

function codeOf(issue: Issue): FieldErrorCode {
	switch (issue.code) {
		case 'too_small':
		case 'too_big':
			return issue.origin === 'string' || issue.origin === 'array' ? 'INVALID_LENGTH' : 'INVALID_RANGE';
		case 'not_multiple_of':
			return 'INVALID_RANGE';
		case 'custom':
			return isFieldErrorCode(issue.params?.['code']) ? issue.params['code'] : 'INVALID_FORMAT';
		default:
			return 'INVALID_FORMAT';
	}
}

function isFieldErrorCode(value: unknown): value is FieldErrorCode {
	return fieldErrorCodes.some((code) => code === value);
}

/** `['starts', 0, 'competitionId']` → `starts[0].competitionId`. */
function fieldPath(path: readonly PropertyKey[]): string {
	return path.reduce<string>((text, part) => {
		if (typeof part === 'number') return `${text}[${part}]`;
		return text === '' ? String(part) : `${text}.${String(part)}`;
	}, '');
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>((value, part) => {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
		return Reflect.get(value, part);
	}, input);
}

const typeWords: Readonly<Record<string, string>> = {
	string: 'a text',
	number: 'a number',
	int: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	object: 'an object',
	null: 'null',
};

/** The message for a value if its schema defines none: it follows the name of the field. Undefined = zod's own. */
export function fieldMessage(issue: z.core.$ZodRawIssue): string | undefined {
	switch (issue.code) {
		case 'invalid_type':
			return `must be ${typeWords[issue.expected] ?? issue.expected}`;
		case 'invalid_value':
			return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
		case 'too_small':
			return sizeMessage(issue, boundWords(issue, 'at least', 'greater than'), issue.minimum);
		case 'too_big':
			return sizeMessage(issue, boundWords(issue, 'at most', 'less than'), issue.maximum);
		case 'not_multiple_of':
			return `must be a multiple of ${issue.divisor}`;
		default:
			return undefined;
	}
}

interface SizeIssue {
	readonly origin: string;
	/** True if the bound itself is allowed. */
	readonly inclusive?: boolean | undefined;
	/** True if the bound is the only allowed size. */
	readonly exact?: boolean | undefined;
}

function boundWords({ inclusive, exact }: SizeIssue, including: string, excluding: string): string {
	if (exact === true) return 'exactly';
	return inclusive === false ? excluding : including;
}

function sizeMessage({ origin }: SizeIssue, words: string, bound: number | bigint): string {
	const unit = units[origin];
	if (unit === undefined) return `must be ${words} ${bound}`;
	return `must have ${words} ${bound} ${Number(bound) === 1 ? unit.one : unit.many}`;
}

const entries = { one: 'entry', many: 'entries' };
const units: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
	string: { one: 'character', many: 'characters' },
	array: entries,
	set: entries,
	map: entries,
};
