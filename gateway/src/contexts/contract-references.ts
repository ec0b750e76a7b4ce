import { isObject, type Json } from './openapi-schemas.ts';

// Their members have names of the author's, not keywords.
const maps = new Set([
	'$defs',
	'callbacks',
	'content',
	'definitions',
	'dependentSchemas',
	'encoding',
	'headers',
	'links',
	'parameters',
	'pathItems',
	'paths',
	'patternProperties',
	'properties',
	'requestBodies',
	'responses',
	'schemas',
	'securitySchemes',
]);
// Values that may look like anything.
const data = new Set(['const', 'default', 'enum', 'example', 'value']);

/** Applies `rename` to every reference of a document, and `named` to every object with keywords. */
export function mapReferences(
	value: unknown,
	rename: (reference: string) => string,
	named: (object: Json) => Json = (object) => object,
	areNames = false,
): unknown {
	if (Array.isArray(value)) return value.map((each) => mapReferences(each, rename, named));
	if (!isObject(value)) return value;
	const mapped = Object.entries(value).map(([key, inner]) => {
		if (areNames) return [key, mapReferences(inner, rename, named)];
		if (key === '$ref' && typeof inner === 'string') return [key, rename(inner)];
		if (data.has(key) || (key === 'examples' && Array.isArray(inner))) return [key, inner];
		return [key, mapReferences(inner, rename, named, maps.has(key) || key === 'examples')];
	});
	const object = Object.fromEntries(mapped);
	return areNames ? object : named(object);
}

/** What is wrong with the references of a document: those to other documents would be fetched by whoever reads it. */
export function referenceFaults(document: Json): string[] {
	const faults = new Set<string>();
	mapReferences(document, (reference) => {
		const fault = faultOf(document, reference);
		if (fault !== undefined && faults.size < 20) faults.add(`$ref: ${reference.slice(0, 200)} ${fault}`);
		return reference;
	});
	return [...faults];
}

// A chain of references without anything between them; longer ones are cycles.
const chainMax = 32;

function faultOf(document: Json, reference: string): string | undefined {
	let next: unknown = { $ref: reference };
	for (let length = 0; length < chainMax; length += 1) {
		const at = isObject(next) ? next['$ref'] : undefined;
		if (typeof at !== 'string') return next === undefined ? 'does not exist' : undefined;
		if (!at.startsWith('#/')) return 'must be a reference within the document';
		next = resolveReference(document, at);
	}
	return 'refers to itself';
}

/** The value at a reference within the document; undefined if there is none. RFC 6901. */
export function resolveReference(document: Json, reference: string): unknown {
	let value: unknown = document;
	for (const part of reference.slice(2).split('/')) {
		const key = unescaped(part);
		if (key === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
			return undefined;
		value = Reflect.get(value, key);
	}
	return value;
}

function unescaped(part: string): string | undefined {
	try {
		return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
	} catch {
		return undefined;
	}
}

/** The object at the end of a chain of references, which `referenceFaults` has found to be without cycles. */
export function dereferenced(document: Json, value: unknown): unknown {
	let current = value;
	for (let length = 0; length < chainMax; length += 1) {
		const at = isObject(current) ? current['$ref'] : undefined;
		if (typeof at !== 'string') return current;
		current = resolveReference(document, at);
	}
	return undefined;
}
