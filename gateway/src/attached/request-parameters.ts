import { dereferenced } from '../contexts/contract-references.ts';
import { isObject, type Json } from '../contexts/openapi-schemas.ts';

const places = ['path', 'query', 'header', 'cookie'] as const;
type Place = (typeof places)[number];

export interface Parameter {
	readonly name: string;
	readonly place: Place;
	readonly required: boolean;
	readonly kind: 'array' | 'object' | 'scalar' | 'json';
	/** OpenAPI 3.0.3 §4.7.12.2. */
	readonly explode: boolean;
	readonly style: string;
	/** Where its schema is in the document. */
	readonly pointer: string;
	/** The properties of an object whose properties are parameters of their own. */
	readonly properties: readonly string[];
}

type ParameterValues = { readonly [P in Place]: Record<string, unknown> };

/** @param lists where the parameters of the path item and of the operation are; the latter have precedence */
export function parametersOf(
	document: Json,
	lists: readonly (readonly [at: string, list: unknown])[],
): Parameter[] {
	const found = new Map<string, Parameter>();
	for (const [at, list] of lists) {
		for (const [index, declared] of (Array.isArray(list) ? list : []).entries()) {
			const parameter = parameterOf(document, declared, `${at}/${index}`);
			if (parameter !== undefined) found.set(`${parameter.place} ${parameter.name.toLowerCase()}`, parameter);
		}
	}
	return [...found.values()];
}

// OpenAPI 3.0.3 §4.7.12.2.1: such parameters are ignored.
const ignored = new Set(['accept', 'authorization', 'content-type']);

function parameterOf(document: Json, declared: unknown, at: string): Parameter | undefined {
	const reference = isObject(declared) && typeof declared['$ref'] === 'string' ? declared['$ref'] : undefined;
	const parameter = dereferenced(document, declared);
	if (!isObject(parameter)) return undefined;
	const { name, in: place, required, schema, content, style, explode } = parameter;
	const known = places.find((each) => each === place);
	if (typeof name !== 'string' || known === undefined) return undefined;
	if (known === 'header' && ignored.has(name.toLowerCase())) return undefined;
	const own = reference?.slice(1) ?? at;
	const [type] = isObject(content) ? Object.keys(content) : [];
	if (type === undefined && schema === undefined) return undefined;
	const described = dereferenced(document, schema);
	const defaultStyle = known === 'query' || known === 'cookie' ? 'form' : 'simple';
	const used = typeof style === 'string' ? style : defaultStyle;
	return {
		name: known === 'header' ? name.toLowerCase() : name,
		place: known,
		required: required === true || known === 'path',
		kind: type === undefined ? kindOf(described) : 'json',
		style: used,
		explode: typeof explode === 'boolean' ? explode : used === 'form',
		pointer: type === undefined ? `${own}/schema` : `${own}/content/${pointerPart(type)}/schema`,
		properties:
			isObject(described) && isObject(described['properties']) ? Object.keys(described['properties']) : [],
	};
}

/** RFC 6901 in a fragment. */
export const pointerPart = (text: string) =>
	encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

function kindOf(schema: unknown): Parameter['kind'] {
	const types = isObject(schema) ? [schema['type']].flat() : [];
	if (types.includes('array')) return 'array';
	return types.includes('object') ? 'object' : 'scalar';
}

interface RawRequest {
	readonly template: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The values of a request's parameters, as texts; a list of texts for a single value that was given several times. */
export function parameterValues(parameters: readonly Parameter[], request: RawRequest): ParameterValues {
	const [path = '', query = ''] = splitAt(request.url, '?');
	const texts = {
		path: pathTexts(request.template, path),
		query: new URLSearchParams(query),
		cookie: cookieTexts(request.headers['cookie']),
	};
	const values: ParameterValues = { path: {}, query: {}, header: {}, cookie: {} };
	for (const parameter of parameters) {
		const { name, place } = parameter;
		const value =
			place === 'header' ? headerValue(parameter, request.headers[name]) : textValue(parameter, texts[place]);
		if (value !== undefined) values[place][name] = value;
	}
	return values;
}

function splitAt(text: string, mark: string): [string, string] {
	const at = text.indexOf(mark);
	return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function pathTexts(template: string, path: string): URLSearchParams {
	const segments = path.split('/');
	const texts = new URLSearchParams();
	for (const [index, segment] of template.split('/').entries())
		if (segment.startsWith('{'))
			texts.append(segment.slice(1, -1), decodeURIComponent(segments[index] ?? ''));
	return texts;
}

function cookieTexts(cookie: string | string[] | undefined): URLSearchParams {
	const texts = new URLSearchParams();
	for (const pair of [cookie ?? ''].flat().join(';').split(';')) {
		const [name, value] = splitAt(pair.trim(), '=');
		if (name !== '') texts.append(name, value);
	}
	return texts;
}

function headerValue(parameter: Parameter, given: string | string[] | undefined): unknown {
	if (given === undefined) return undefined;
	const text = [given].flat().join(', ');
	if (parameter.kind === 'json') return parsed(text);
	return parameter.kind === 'array' ? text.split(',').map((each) => each.trim()) : text;
}

const separators: Readonly<Record<string, string>> = { pipeDelimited: '|', spaceDelimited: ' ' };

function textValue(parameter: Parameter, texts: URLSearchParams): unknown {
	const { name, kind, style, explode } = parameter;
	if (kind === 'object') return objectOf(parameter, texts);
	const given = texts.getAll(name);
	const [first] = given;
	if (first === undefined) return undefined;
	if (kind === 'json') return single(given.map(parsed));
	if (kind === 'scalar') return single(given);
	return explode && style === 'form' ? given : given.flatMap((text) => text.split(separators[style] ?? ','));
}

/** One of several values would be checked, and the service might use another. */
const single = (given: readonly unknown[]): unknown => (given.length === 1 ? given[0] : given);

function objectOf({ name, style, explode, properties }: Parameter, texts: URLSearchParams): unknown {
	if (style === 'deepObject') {
		const keys = new Set(texts.keys());
		const own = [...keys].filter((key) => key.startsWith(`${name}[`) && key.endsWith(']'));
		if (own.length === 0) return undefined;
		return Object.fromEntries(
			own.map((key) => [key.slice(name.length + 1, -1), single(texts.getAll(key))] as const),
		);
	}
	if (explode) {
		const own = properties.filter((key) => texts.has(key));
		if (own.length === 0) return undefined;
		return Object.fromEntries(own.map((key) => [key, single(texts.getAll(key))] as const));
	}
	const given = texts.getAll(name);
	if (given.length > 1) return given;
	const parts = given[0]?.split(',');
	return (
		parts &&
		Object.fromEntries(parts.flatMap((key, at) => (at % 2 === 0 ? [[key, parts[at + 1] ?? '']] : [])))
	);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
