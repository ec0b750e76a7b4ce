import { isObject, type Json } from '../contexts/openapi-schemas.ts';
import { stepKeyword } from './checkable-schema.ts';

// A schema is compiled in one go, at up to a millisecond for each one within it.
const schemasMax = 8_000;
const innerSchemasMax = 400;
// Those that refer to each other are compiled together, one within the other.
const circleSchemasMax = 1_000;
const circleNamesMax = 150;

/** @throws Error for a contract that is too large to be compiled in time */
export function refuseLarge(document: Json): void {
	const all = sizeOf(document);
	if (all > schemasMax)
		throw new Error(`has ${all} schemas; requests can be checked against up to ${schemasMax}`);
	const named = Object.entries(namedSchemas(document));
	for (const [name, part] of [...named, ...Object.entries(document['paths'] as Json)]) {
		const size = sizeOf(part);
		if (size > innerSchemasMax)
			throw new Error(
				`${name} consists of ${size} schemas; requests can be checked against up to ${innerSchemasMax}`,
			);
	}
}

export const namedSchemas = ({ components }: Json): Json =>
	isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};

const sizeOf = (part: unknown) => JSON.stringify(part).split(`"${stepKeyword}"`).length - 1;

/** Names of schemas in the order of compilation, mutually recursive ones together. @throws Error if too many refer to each other */
export function compiledInTurn(schemas: Json): readonly string[] {
	const references = new Map(Object.entries(schemas).map(([name, schema]) => [name, referencesOf(schema)]));
	const compiled = new Set<string>();
	return dependenciesFirst(references).filter((name) => {
		if (compiled.has(name)) return false;
		const group = [name];
		compiled.add(name);
		let size = 0;
		for (const each of group) {
			size += sizeOf(schemas[each]);
			for (const other of references.get(each) ?? []) {
				if (compiled.has(other) || !references.has(other)) continue;
				compiled.add(other);
				group.push(other);
			}
		}
		if (size > circleSchemasMax || group.length > circleNamesMax)
			throw new Error(
				`${name} and ${group.length - 1} others refer to each other and consist of ${size} schemas; requests can be checked against up to ${circleNamesMax} such, of ${circleSchemasMax} schemas`,
			);
		return true;
	});
}

function referencesOf(schema: unknown): readonly string[] {
	const found = JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([\w.-]+)/g);
	return [...new Set([...found].map(([, name = '']) => name))];
}

/** Without recursion: a chain of references may be as long as the contract. */
function dependenciesFirst(references: ReadonlyMap<string, readonly string[]>): readonly string[] {
	const ordered = new Set<string>();
	const visited = new Set<string>();
	const open = [...references.keys()].reverse();
	for (let name = open.at(-1); name !== undefined; name = open.at(-1)) {
		const next = visited.has(name) ? [] : (references.get(name) ?? []);
		visited.add(name);
		const unvisited = next.filter((each) => !visited.has(each) && references.has(each));
		open.push(...unvisited);
		if (unvisited.length > 0) continue;
		ordered.add(name);
		open.pop();
	}
	return [...ordered];
}
