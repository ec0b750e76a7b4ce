import { componentOf } from './schemas.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
	readonly name: string;
	/** In the metadata of a declaration: the name of its component, if that of the parameter is taken. */
	readonly componentName?: string;
	readonly schema: Schema & { readonly items?: Schema };
	readonly [keyword: string]: unknown;
}

export interface Response {
	readonly $ref?: string;
	readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
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

/** Moves parameters, headers and successes used by several operations. */
export function withSharedParts(document: Described) {
	const operations = operationsOf(document.paths);
	const parameters = shared(
		operations.flatMap(({ parameters = [] }) => parameters.map((part) => [parameterName(part), part])),
	);
	const headers = shared(
		operations.flatMap(({ responses }) =>
			Object.values(responses).flatMap(({ headers = {} }) =>
				Object.entries(headers).map(([name, part]) => [headerName(name, part), part]),
			),
		),
	);
	const paths = mapValues(document.paths, (item) =>
		mapValues(item, (operation) => withReferences(operation, parameters, headers)),
	);
	const successes = shared(
		operationsOf(paths)
			.flatMap(({ responses }) => Object.entries(responses).flatMap(namedSuccess))
			.filter(([name]) => !(name in document.components.responses)),
	);
	const { responses, ...components } = document.components;
	return {
		components: {
			...components,
			responses: { ...responses, ...named(successes) },
			parameters: named(parameters),
			headers: named(headers),
		},
		paths: mapValues(paths, (item) =>
			mapValues(item, (operation) => ({
				...operation,
				responses: mapValues(operation.responses, (part) => reference('responses', successes, part)),
			})),
		),
	};
}

type Names = ReadonlyMap<string, string>;

function withReferences(operation: Operation, parameters: Names, headers: Names): Operation {
	return {
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
	};
}

/** The name of its values if they have one: `HorseSortParameter`. Some generators have one namespace for all components. */
function parameterName({ name, schema, componentName }: Parameter): string {
	if (componentName !== undefined) return componentName;
	const values = referredName(schema.items ?? schema);
	return values === undefined ? name : `${values}Parameter`;
}

/** The freshness of responses differs: `CacheControl60`. */
function headerName(name: string, part: object): string {
	return `${name}${/max-age=(\d+)/.exec(JSON.stringify(part))?.[1] ?? ''}`;
}

const referredName = ({ $ref }: Schema) => (typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined);

/** A success with its name, from its data and what else distinguishes it: `HorseWithETagResult`. Empty if the data have none. */
function namedSuccess([status, response]: [status: string, Response]): (readonly [string, Response])[] {
	const { content = {}, headers = {} } = response;
	const [data] = Object.values(content).flatMap(({ schema }) => referredName(schema) ?? []);
	if (data === undefined) return [];
	const created = status === '201' ? 'Created' : '';
	const tagged = 'ETag' in headers ? 'WithETag' : '';
	const deprecated = 'Deprecation' in headers ? 'Deprecated' : '';
	return [
		[
			`${data.replace(/Envelope$/, '')}${created}${'Cache-Control' in headers ? 'Cached' : tagged}${deprecated}Result`,
			response,
		],
	];
}

/**
 * The parts that occur more than once, as JSON, with their component names: `If-Match` → `IfMatch`.
 * @throws TypeError if two different parts would have one name
 */
function shared(parts: readonly (readonly [string, object])[]): Names {
	const names = new Map<string, string>();
	const taken = new Set<string>();
	for (const [json, [first, second]] of Map.groupBy(parts, ([, part]) => JSON.stringify(part))) {
		if (first === undefined || second === undefined) continue;
		const name = first[0].replaceAll(/\W/g, '');
		if (taken.has(name))
			throw new TypeError(
				`Two shared parts are called ${name}; a parameter is renamed by \`param.componentName\` in its metadata: ${json}`,
			);
		taken.add(name);
		names.set(json, name);
	}
	return names;
}

function named(parts: Names): Components {
	return Object.fromEntries([...parts].map(([json, name]) => [name, unnamed(JSON.parse(json) as object)]));
}

function reference<Part extends object>(kind: string, names: Names, part: Part): Part {
	const name = names.get(JSON.stringify(part));
	return name === undefined ? unnamed(part) : ({ $ref: componentOf(kind, name) } as unknown as Part);
}

function unnamed<Part extends object>(part: Part & { readonly componentName?: string }): Part {
	const { componentName: _, ...own } = part;
	return own as Part;
}

export function mapValues<Value, Result>(
	object: Readonly<Record<string, Value>>,
	change: (value: Value) => Result,
): Record<string, Result> {
	return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
