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
 * The message for a value if its schema defines none, in the same style: it follows the name of the field. Undefined =
 * zod's own message.
 */
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
