import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { openapiText } from './openapi-text.ts';

const large = { enum: Array.from({ length: 20_000 }, (_, at) => `value\u2028 ${at}: "#" [`) };
const small = { type: 'string', description: 'A name.' };

test.each([
	['in block style', { a: small, b: small }, { '/x': small }],
	['with large parts first', { 'a.b': large, b: small }, { '/x/{id}': large, '/y': small }],
	['with large parts last', { a: small, b: large }, { '/x': small, '/y': large }],
])('a document %s is read as it was', async (_name, schemas, paths) => {
	const document = {
		info: { title: 'Toys', version: '1' },
		paths,
		components: { schemas, parameters: { c: large, d: small } },
		'x-error-codes': {},
	};
	const text = await openapiText(document);
	expect(parse(text, { version: '1.2' })).toEqual(document);
	expect(text).not.toContain('\u2028');
	expect(text).toContain('description: A name.');
});
