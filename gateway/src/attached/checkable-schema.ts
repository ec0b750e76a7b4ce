import { dereferenced } from '../contexts/contract-references.ts';
import { isObject, type Json, mapSchemas } from '../contexts/openapi-schemas.ts';
import { type Budget, linearPattern, patternCost } from './linear-pattern.ts';

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
// They are compiled in one go.
const patternCostMax = 500_000;

/** A contract with schemas as Ajv applies them to requests (JSON Schema 2020-12). */
export interface CheckableContract {
	readonly document: Json;
	/** Patterns that can't be matched in linear time; the service alone checks them. */
	readonly unchecked: readonly string[];
}

/** @param document of OpenAPI 3.0 or 3.1. @throws Error if it has too many patterns */
export function checkableContract(document: Json, budget: Budget): CheckableContract {
	const isOld = String(document['openapi']).startsWith('3.0');
	const unchecked = new Set<string>();
	const known = new Map<unknown, boolean>();
	let cost = 0;
	const isUsable = (pattern: unknown): boolean => {
		if (!known.has(pattern)) cost += patternCost(String(pattern));
		if (cost > patternCostMax) throw new Error('has patterns that are too large together');
		const usable =
			known.get(pattern) ?? (typeof pattern === 'string' && linearPattern(pattern, budget) !== undefined);
		if (known.set(pattern, usable).size > patternsMax)
			throw new Error(`has more than ${patternsMax} patterns`);
		if (!usable) unchecked.add(String(pattern).slice(0, 200));
		return usable;
	};
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
	return { document: mapSchemas(document, convert), unchecked: [...unchecked] };
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
