import type { FieldError, FieldErrorCode } from '@paddock/contract';
import { fieldErrorCodes } from '@paddock/contract';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** All that a schema found wrong with `input`, as the contract words it. */
export function fieldErrors(error: z.ZodError, input: unknown): FieldError[] {
	return error.issues.flatMap((issue) => fieldErrorsOf(issue, input));
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
	const code = missing ? 'REQUIRED' : codeOf(issue);
	return [{ field: fieldPath(issue.path), code, message: missing ? 'is required' : issue.message }];
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
