import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isObject, type Json } from '../contexts/openapi-schemas.ts';
import { type Patterns, stepKeyword } from './checkable-schema.ts';
import { type Budget, OverBudget } from './linear-pattern.ts';

export const base = 'https://contract.invalid/';
// Some 50 ms: a schema that refers to itself in several places needs exponential time for a deep body.
const unitsMax = 100_000;
const formatCharsMax = 4_096;

export interface LimitedBudget extends Budget {
	renew(): void;
}

export function limitedBudget(): LimitedBudget {
	let left = unitsMax;
	return {
		renew: () => {
			left = unitsMax;
		},
		spend: (units) => {
			left -= units;
			if (left < 0) throw new OverBudget('the check takes too long');
		},
	};
}

/** Ajv with the schemas of a contract, at `base`; nothing that it applies takes longer than the budget allows. */
export function newAjv(
	document: Json,
	{ budget, patterns }: { readonly budget: LimitedBudget; readonly patterns: Patterns },
	coerceTypes: boolean,
): Ajv2020 {
	const regExp = Object.assign(
		// Patterns that are not linear have been removed.
		(source: string) => patterns.get(source) ?? { test: () => true, toString: () => source },
		{ code: 'linearPattern' },
	);
	const ajv = new Ajv2020({
		...{ strict: false, allErrors: true, messages: false, logger: false, validateSchema: false },
		// Otherwise a schema is copied to each place that refers to it.
		...{
			inlineRefs: false,
			addUsedSchema: false,
			// Otherwise `constructor` is a property of each object.
			ownProperties: true,
			coerceTypes,
			code: { regExp: regExp as never, optimize: false },
		},
	});
	ajv.addKeyword({
		keyword: stepKeyword,
		errors: false,
		compile: (_on: boolean, schema) => {
			const { fixed, perProperty } = stepCosts(schema as Json);
			return (value: unknown) => {
				budget.spend(fixed + dataCost(value, perProperty));
				return true;
			};
		},
	});
	// Ajv's own compares each element with each other.
	ajv.removeKeyword('uniqueItems');
	ajv.addKeyword({
		...{ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', errors: false },
		validate: (isOn: boolean, list: unknown[]) =>
			!isOn || new Set(list.map((value) => canonical(value, budget))).size === list.length,
	});
	for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, shortFormat(format) as never);
	return ajv.addSchema({ ...document, $id: base });
}

/** The regular expressions of formats backtrack, though not much. */
function shortFormat(format: unknown): unknown {
	if (format instanceof RegExp) return (text: string) => text.length <= formatCharsMax && format.test(text);
	return format;
}

// A list within a list is written out again for each list around it.
function canonical(value: unknown, budget: Budget): string {
	return JSON.stringify(value, (_key, inner) => {
		budget.spend(0.5);
		return isObject(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner;
	});
}

/** What it costs to apply a schema, without the schemas within it. `perProperty`: it looks at each property of an object. */
function stepCosts(schema: Json): { readonly fixed: number; readonly perProperty: boolean } {
	const { enum: values, const: only, required, dependentRequired } = schema;
	const compared = JSON.stringify([values, only]).length / 1_000;
	const names = [required, ...(isObject(dependentRequired) ? Object.values(dependentRequired) : [])].flat();
	return {
		fixed: 1 + compared + names.length / 4,
		perProperty: propertyKeywords.some((keyword) => schema[keyword] !== undefined),
	};
}

const propertyKeywords = [
	'additionalProperties',
	'maxProperties',
	'minProperties',
	'patternProperties',
	'propertyNames',
	'unevaluatedProperties',
];

function dataCost(value: unknown, perProperty: boolean): number {
	if (typeof value === 'string') return value.length / 1_000;
	return perProperty && isObject(value) ? Object.keys(value).length / 4 : 0;
}
