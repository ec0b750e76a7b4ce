import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { fieldMessage } from './field-errors.ts';

function said(schema: z.ZodType, value: unknown): string[] {
	const { error } = schema.safeParse(value, { error: fieldMessage });
	return (error?.issues ?? []).map(({ message }) => message);
}

test.each<[string, z.ZodType, unknown, string]>([
	['a number for a text', z.string(), 1, 'must be a text'],
	['a text for a number', z.number(), '1', 'must be a number'],
	['a fraction', z.int(), 1.5, 'must be a whole number'],
	['a text for yes or no', z.boolean(), 'yes', 'must be true or false'],
	['an object for a list', z.array(z.string()), {}, 'must be a list'],
	['a list for an object', z.strictObject({}), [], 'must be an object'],
	['none of the words', z.enum(['FEMALE', 'MALE']), 'F', 'must be one of FEMALE, MALE'],
	['another word', z.literal('OPEN'), 'SHUT', 'must be OPEN'],
	['too short a text', z.string().min(2), 'a', 'must have at least 2 characters'],
	['too long a text', z.string().max(2), 'abc', 'must have at most 2 characters'],
	['too many entries', z.array(z.int()).max(1), [1, 2], 'must have at most 1 entry'],
	['too small a number', z.number().min(3), 2, 'must be at least 3'],
	['too large a number', z.number().max(3), 4, 'must be at most 3'],
	['an excluded lower bound', z.number().gt(0), 0, 'must be greater than 0'],
	['an excluded upper bound', z.number().lt(100), 100, 'must be less than 100'],
	['a number that is not positive', z.int().positive(), 0, 'must be greater than 0'],
	['a text of another length', z.string().length(2), 'abc', 'must have exactly 2 characters'],
	['a shorter text of another length', z.string().length(1), '', 'must have exactly 1 character'],
	['a list of another length', z.array(z.int()).length(2), [1], 'must have exactly 2 entries'],
	['an empty text', z.string().min(1), '', 'must have at least 1 character'],
	['another multiple', z.number().multipleOf(5), 7, 'must be a multiple of 5'],
])('%s: in the words of the other messages', (_name, schema, value, message) => {
	expect(said(schema, value)).toEqual([message]);
});

test('the message of a schema is unchanged', () => {
	expect(said(z.string('must be a name'), 1)).toEqual(['must be a name']);
});
