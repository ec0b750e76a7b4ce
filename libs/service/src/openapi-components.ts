import { componentOf } from './openapi-schemas.ts';

export interface Parameter {
	readonly name: string;
	readonly [keyword: string]: unknown;
}

export interface Response {
	readonly headers?: Readonly<Record<string, object>>;
	readonly [keyword: string]: unknown;
}

export interface Operation {
	readonly operationId: string;
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: object;
	readonly responses: Readonly<Record<string, Response>>;
	readonly 'x-error-codes'?: readonly string[];
	readonly [keyword: string]: unknown;
}

type Components = Readonly<Record<string, object>>;

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export interface Described {
	readonly components: Readonly<Record<'schemas' | 'responses' | 'securitySchemes', Components>>;
	readonly paths: Paths;
}

export function operationsOf(paths: Paths): readonly Operation[] {
	return Object.values(paths).flatMap((item) => Object.values(item));
}

/** Moves parameters and response headers used by several operations; if several share a name, the most frequent. */
export function withSharedParts(document: Described) {
	const operations = operationsOf(document.paths);
	const parameters = frequent(
		operations.flatMap(({ parameters = [] }) => parameters.map((part) => [part.name, part])),
	);
	const headers = frequent(
		operations.flatMap(({ responses }) =>
			Object.values(responses).flatMap((response) => Object.entries(response.headers ?? {})),
		),
	);
	const shared = (operation: Operation): Operation => ({
		...operation,
		...(operation.parameters === undefined
			? {}
			: { parameters: operation.parameters.map((part) => reference('parameters', parameters, part)) }),
		responses: mapValues(operation.responses, (response) => ({
			...response,
			...(response.headers === undefined
				? {}
				: { headers: mapValues(response.headers, (part) => reference('headers', headers, part)) }),
		})),
	});
	const named = (parts: ReadonlyMap<string, string>) =>
		Object.fromEntries([...parts].map(([json, name]) => [name, JSON.parse(json) as object]));
	return {
		components: { ...document.components, parameters: named(parameters), headers: named(headers) },
		paths: mapValues(document.paths, (item) => mapValues(item, shared)),
	};
}

/** The parts that occur more than once, as JSON, with their component names: `If-Match` → `IfMatch`. */
function frequent(parts: readonly (readonly [string, object])[]): ReadonlyMap<string, string> {
	const uses = Map.groupBy(parts, ([, part]) => JSON.stringify(part));
	const repeated = [...uses]
		.filter(([, { length }]) => length > 1)
		.sort(([, a], [, b]) => a.length - b.length);
	const ofName = new Map(repeated.map(([json, [first]]) => [first?.[0].replaceAll(/\W/g, '') ?? '', json]));
	return new Map([...ofName].map(([name, json]) => [json, name]));
}

function reference<Part extends object>(kind: string, names: ReadonlyMap<string, string>, part: Part): Part {
	const name = names.get(JSON.stringify(part));
	return name === undefined ? part : ({ $ref: componentOf(kind, name) } as unknown as Part);
}

export function mapValues<Value, Result>(
	object: Readonly<Record<string, Value>>,
	change: (value: Value) => Result,
): Record<string, Result> {
	return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
