import { setImmediate as turn } from 'node:timers/promises';
import { dereferenced } from '../contexts/contract-references.ts';
import { isObject, type Json, mapSchemas } from '../contexts/openapi-schemas.ts';
import { type Budget, linearPattern, type Pattern, patternCost } from './linear-pattern.ts';

/** The keyword that spends a unit of the budget in each schema that is applied. */
export const stepKeyword = 'x-paddock-step';

// They would change how references are read; within one document none is needed.
const removed = [
	'$anchor',
	'$comment',
	'$dynamicAnchor',
	'$id',
	'$schema',
	'$vocabulary',
	'id',
	'discriminator',
];

const patternsMax = 1_000;
const patternCostMax = 500_000;

/** The patterns of a contract by their text; undefined for one that is not matched in linear time, and that the service alone checks. */
export type Patterns = ReadonlyMap<string, Pattern | undefined>;

/** Compiles the patterns, one in each turn of the event loop. @throws Error if there are too many */
export async function compilePatterns(document: Json, budget: Budget): Promise<Patterns> {
	const patterns = new Map<string, Pattern | undefined>();
	mapSchemas(document, (schema) => {
		if (isObject(schema)) for (const source of patternsOf(schema)) patterns.set(source, undefined);
		return schema;
	});
	if (patterns.size > patternsMax) throw new Error(`has more than ${patternsMax} patterns`);
	const costs = [...patterns.keys()].map(patternCost);
	if (costs.reduce((sum, cost) => sum + cost, 0) > patternCostMax)
		throw new Error('has patterns that are too large together');
	for (const source of patterns.keys()) {
		patterns.set(source, linearPattern(source, budget));
		await turn();
	}
	return patterns;
}

function patternsOf({ pattern, patternProperties }: Json): readonly string[] {
	const ofNames = isObject(patternProperties) ? Object.keys(patternProperties) : [];
	return pattern === undefined ? ofNames : [String(pattern), ...ofNames];
}

/** A contract (OpenAPI 3.0 or 3.1) with schemas of JSON Schema 2020-12 for Ajv, without unusable patterns. */
export function checkableContract(document: Json, patterns: Patterns): Json {
	const isOld = String(document['openapi']).startsWith('3.0');
	const isUsable = (pattern: unknown) => typeof pattern === 'string' && patterns.get(pattern) !== undefined;
	const convert = (schema: Json | boolean): Json | boolean => {
		if (!isObject(schema)) return schema;
		// OpenAPI 3.0.3 §4.7.23: what stands beside a reference is ignored.
		if (isOld && typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
		const own: Json = { ...schema };
		for (const keyword of removed) delete own[keyword];
		if (isOld) fromOpenapi30(own);
		if (Array.isArray(own['required'])) own['required'] = requestProperties(document, own);
		if (own['pattern'] !== undefined && !isUsable(own['pattern'])) delete own['pattern'];
		const { patternProperties } = own;
		if (isObject(patternProperties) && !Object.keys(patternProperties).every(isUsable)) {
			for (const keyword of ['patternProperties', 'additionalProperties', 'unevaluatedProperties'])
				delete own[keyword];
		}
		if (isOld && isNullableReference(schema, own))
			return { anyOf: [{ type: 'null' }, own], [stepKeyword]: true };
		return { ...own, [stepKeyword]: true };
	};
	return mapSchemas(document, convert);
}

/** 3.0 has no other way to say that a reference may be null, though without a type `nullable` means nothing there. */
function isNullableReference({ nullable }: Json, { type, allOf, anyOf, oneOf }: Json): boolean {
	return nullable === true && type === undefined && [allOf, anyOf, oneOf].some((each) => each !== undefined);
}

function fromOpenapi30(schema: Json): void {
	for (const [bound, exclusive] of [
		['minimum', 'exclusiveMinimum'],
		['maximum', 'exclusiveMaximum'],
	] as const) {
		if (typeof schema[exclusive] !== 'boolean') continue;
		if (schema[exclusive] && schema[bound] !== undefined) {
			schema[exclusive] = schema[bound];
			delete schema[bound];
		} else delete schema[exclusive];
	}
	if (schema['nullable'] === true && typeof schema['type'] === 'string') {
		schema['type'] = [schema['type'], 'null'];
		const { enum: values } = schema;
		if (Array.isArray(values) && !values.includes(null)) schema['enum'] = [...values, null];
	}
	delete schema['nullable'];
	delete schema['example'];
}

/** OpenAPI: a property that is only read is required in responses only. */
function requestProperties(document: Json, { required, properties }: Json): unknown[] {
	return (required as unknown[]).filter((name) => {
		if (!isObject(properties) || typeof name !== 'string' || !Object.hasOwn(properties, name)) return true;
		const property = dereferenced(document, properties[name]);
		return !(isObject(property) && property['readOnly'] === true);
	});
}
