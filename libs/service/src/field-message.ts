import type { z } from 'zod';

const typeWords: Readonly<Record<string, string>> = {
	string: 'a text',
	number: 'a number',
	int: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	object: 'an object',
	null: 'null',
};

/**
 * What is said of a value where its schema has no words of its own for it, in the tone of those that have: it follows
 * the name of the field. Undefined = what zod says.
 */
export function fieldMessage(issue: z.core.$ZodRawIssue): string | undefined {
	switch (issue.code) {
		case 'invalid_type':
			return `must be ${typeWords[issue.expected] ?? issue.expected}`;
		case 'invalid_value':
			return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
		case 'too_small':
			return `must ${sizeWords(issue.origin)}at least ${issue.minimum}${unitWords(issue.origin)}`;
		case 'too_big':
			return `must ${sizeWords(issue.origin)}at most ${issue.maximum}${unitWords(issue.origin)}`;
		default:
			return undefined;
	}
}

function sizeWords(origin: string): string {
	return origin === 'string' || origin === 'array' ? 'have ' : 'be ';
}

function unitWords(origin: string): string {
	if (origin === 'string') return ' characters';
	return origin === 'array' ? ' entries' : '';
}
