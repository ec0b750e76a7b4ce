import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { fieldMessage } from '../../libs/service/src/fields/field-errors.ts';
import { declaredRoutes } from '../../scripts/contexts/context-routes.ts';

// The list of tests/schemathesis/checks.py, compared with the schemas of all routes without sending a request.
const lines = readFileSync(new URL('../schemathesis/stated-rules.txt', import.meta.url), 'utf8')
	.split('\n')
	.filter((line) => line !== '' && !line.startsWith('#'));
const isStated = (message: string) => new RegExp(`^(${lines.join('|')})$`, 'u').test(message);

// Rules on one value for which OpenAPI 3.0 has no word, or a format that allows more than the services do.
const inexpressible = [
	/^must be an? (date|instant|e-mail address|address of the web|phone number|language tag) /,
	/^must be a zone of the IANA time zone database /,
	/^must be a year from 1900 to 2199 or a day /,
	/^must be plain ASCII without spaces; /,
	/^must be from 1900(-01-01)? to 2199(-12-31)?$/,
	/^must not (hold|contain|lie before the year 1)/,
	/^must have at least 4 letters or digits$/,
	/^must list each of these at most once, /,
];

interface Found {
	readonly value: Set<string>;
	readonly betweenFields: Set<string>;
}

// One of them breaks every rule on a single value.
const probes: readonly unknown[] = [
	...[0, -1e15, 1e15, 0.123456, '', '-', 'ÿ', '0', '99999999', 'x'.repeat(5_000), true, null, [], {}],
	Array(1_000).fill('x'),
	['x', 'x'],
];

function collect(schema: z.core.$ZodType, found: Found): void {
	const { def } = schema._zod as unknown as { def: Definition };
	const { innerType, element, shape = {}, options = [] } = def;
	if (def.type === 'object')
		for (const check of def.checks ?? []) found.betweenFields.add(messageOf(check, schema as z.ZodType));
	else if (innerType === undefined) collectValueRules(schema as z.ZodType, found);
	// A message of the union's own replaces those of its options.
	const shown = def.type === 'union' && def.error !== undefined ? [] : options;
	const input = def.type === 'pipe' ? def.in : undefined;
	for (const part of [innerType, element, input, ...shown, ...Object.values(shape)])
		if (part !== undefined) collect(part, found);
}

function collectValueRules(schema: z.ZodType, found: Found): void {
	for (const probe of probes) {
		const { error } = schema.safeParse(probe, { error: fieldMessage });
		for (const issue of error?.issues ?? []) if (issue.path.length === 0) found.value.add(issue.message);
	}
}

type Definition = {
	readonly type: string;
	readonly error?: unknown;
	readonly innerType?: z.core.$ZodType;
	readonly element?: z.core.$ZodType;
	readonly in?: z.core.$ZodType;
	readonly options?: readonly z.core.$ZodType[];
	readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
	readonly checks?: readonly Check[];
};

interface Check {
	readonly _zod: { readonly def: { readonly error?: (issue: { input: unknown }) => string } };
}

/** The message of a rule between the fields of an object; empty for a function that makes its issues itself. */
function messageOf({ _zod: { def } }: Check, schema: z.ZodType): string {
	return def.error?.({ input: schema.meta()?.['example'] }) ?? '';
}

const routes = Object.values(declaredRoutes).flat();
const found: Found = { value: new Set(), betweenFields: new Set() };
for (const { params, query, body } of routes)
	for (const schema of [params, query, body]) if (schema !== undefined) collect(schema, found);

describe('the field messages that Schemathesis may not see for valid input', () => {
	test('are those of every rule on a single value that OpenAPI can state', () => {
		expect(found.value.size).toBeGreaterThan(80);
		const unlisted = [...found.value].filter(
			(message) => !isStated(message) && !inexpressible.some((rule) => rule.test(message)),
		);
		expect(unlisted).toEqual([]);
	});

	test('are of no rule between fields', () => {
		expect(found.betweenFields.size).toBeGreaterThan(15);
		expect([...found.betweenFields].filter(isStated)).toEqual([]);
	});

	test('are the messages of rules, line by line', () => {
		// Of missing and unknown fields, of a header and of the gateway's own parameters.
		const others = [
			'is required',
			'is not known here',
			'must be 1 to 255 visible ASCII characters, such as a UUID',
			'must be a whole number from 1 to 999999',
			'must be a name and a value such as method:GET',
		];
		const messages = [...found.value, ...others];
		const unused = lines.filter(
			(line) => !messages.some((message) => new RegExp(`^(${line})$`, 'u').test(message)),
		);
		expect(unused).toEqual([]);
	});
});
