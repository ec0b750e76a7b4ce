import { readFile } from 'node:fs/promises';
import { dayInVienna } from '@paddock/calendar';
import { parse } from 'yaml';
import { inventedId } from './random-choice.ts';
import { entriesPerEvent, type RegistrySize } from './registry-size.ts';
import { microchipOf } from './seed-horses.ts';

/** One kind of request; its n-th request differs from the others where the parameter has several values. */
export interface RequestCase {
	/** Method and path template, as in the contract. */
	readonly route: string;
	/** The parameters that are set, e.g. `sort=-name & sex=MARE`. */
	readonly title: string;
	readonly path: (index: number) => string;
	/** Pairs of parameters are measured for the office only, which has no narrower scope. */
	readonly isPair: boolean;
}

interface Schema {
	readonly type?: string;
	readonly enum?: readonly string[];
	readonly items?: Schema;
	readonly $ref?: string;
	readonly format?: string;
	readonly minimum?: number;
	readonly example?: unknown;
	readonly allOf?: readonly Schema[];
	readonly anyOf?: readonly Schema[];
	readonly pattern?: string;
}

interface Parameter {
	readonly name: string;
	readonly in: string;
	readonly required?: boolean;
	/** The former name of another parameter. */
	readonly deprecated?: boolean;
	readonly schema: Schema;
	readonly $ref?: string;
}

interface Operation {
	readonly parameters?: readonly Parameter[];
}

interface Contract {
	readonly paths: Readonly<
		Record<string, { readonly get?: Operation; readonly parameters?: readonly Parameter[] }>
	>;
}

/** A choice for a parameter: text, or a text that depends on the request's number. */
type Value = string | ((index: number) => string);

const paging = new Set(['page', 'size', 'limit', 'offset', 'cursor', 'exactTotal']);
const searches = [
	'example.org',
	'anna@example.org',
	'müller',
	'anna',
	'an',
	'huber anna',
	'do',
	'vogel',
	'9880400',
	'xyzzy',
	'17',
];
/** Those that are measured in pairs: of many people, and of many horses. */
const pairedSearches = new Set(['example.org', 'anna', 'do']);

/** Requests for every GET operation of the contract: each parameter alone with each value, and pairs of parameters. */
export async function contractCases(size: RegistrySize): Promise<RequestCase[]> {
	const file = new URL('../../openapi.yaml', import.meta.url);
	const contract = parse(await readFile(file, 'utf8')) as Contract;
	const resolve = <T extends { readonly $ref?: string }>(node: T): T =>
		node.$ref === undefined
			? node
			: (node.$ref
					.split('/')
					.slice(1)
					.reduce<unknown>((at, key) => Reflect.get(at as object, key), contract) as T);
	return Object.entries(contract.paths).flatMap(([path, { get, parameters = [] }]) => {
		if (get === undefined || !/^\/(api|auth)\//.test(path)) return [];
		const all = [...parameters, ...(get.parameters ?? [])].map(resolve);
		const query = all.filter((parameter) => parameter.in === 'query' && parameter.deprecated !== true);
		return operationCases(path, query, { size, resolve });
	});
}

interface Sources {
	readonly size: RegistrySize;
	readonly resolve: (schema: Schema) => Schema;
}

function operationCases(path: string, query: readonly Parameter[], sources: Sources): RequestCase[] {
	const { size } = sources;
	const make = (title: string, values: Readonly<Record<string, Value>>, isPair = false): RequestCase => ({
		route: path,
		title,
		isPair,
		path: (index) => {
			const pairs = Object.entries(values).map(([name, value]): [string, string] => [
				name,
				textOf(value, index),
			]);
			const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
			return `${filledPath(path, index, size)}${search}`;
		},
	});
	const choices = query
		.filter(({ name }) => !paging.has(name))
		.map((parameter) => ({ ...parameter, values: valuesOf(parameter, sources) }));
	const required =
		choices.find((parameter) => parameter.required === true) ??
		(path.endsWith('/search') ? choices[0] : undefined);
	const base = required === undefined ? {} : { [required.name]: required.values[0]?.[1] ?? '' };
	const alone = choices.flatMap(({ name, values }) =>
		values.map(([title, value]) => make(`${name}=${title}`, { ...base, [name]: value })),
	);
	const isPaged = query.some(({ name }) => name === 'size');
	const pages = isPaged
		? [
				make('size=200', { ...base, size: '200' }),
				// A search has fewer records.
				path.endsWith('/search')
					? make('page=5 · size=200', { ...base, size: '200', page: '5' })
					: make('page=50 · size=200', { ...base, size: '200', page: '50' }),
				...(query.some(({ name }) => name === 'exactTotal')
					? [make('exactTotal', { ...base, exactTotal: 'true' })]
					: []),
			]
		: [];
	const filters = choices.filter(({ name }) => name !== 'sort');
	const paired = filters.flatMap(({ name, values }) => {
		const wanted = isText(name) ? values.filter(([title]) => pairedSearches.has(title)) : values.slice(0, 1);
		return wanted.map((value) => [name, value] as const);
	});
	const sorts = (choices.find(({ name }) => name === 'sort')?.values ?? []).filter(
		([title]) => !title.startsWith('-'),
	);
	const pairs = paired.flatMap(([name, value], at) => {
		const others = paired.slice(at + 1).filter(([other]) => other !== name);
		return [...others, ...sorts.map((sort) => ['sort', sort] as const)].map(([other, otherValue]) =>
			make(
				`${name}=${value[0]} · ${other}=${otherValue[0]}`,
				{ ...base, [name]: value[1], [other]: otherValue[1] },
				true,
			),
		);
	});
	const orders = sorts.flatMap(([first]) =>
		sorts
			.filter(([second]) => second !== first)
			.map(([second]) => make(`sort=${first},-${second}`, { ...base, sort: `${first},-${second}` }, true)),
	);
	return [...(required?.required === true ? [] : [make('–', base)]), ...pages, ...alone, ...orders, ...pairs];
}

function isText(name: string): boolean {
	return name === 'q' || name === 'name';
}

function textOf(value: Value, index: number): string {
	return typeof value === 'string' ? value : value(index);
}

/** Path parameters name records of the kind that the path says. */
function filledPath(path: string, index: number, size: RegistrySize): string {
	const event = (index * 31) % size.events;
	const ids: Record<string, string> = {
		'/api/members/{id}': inventedId('member', index * 17),
		'/api/members/clubs/{id}': inventedId('club', index % size.clubs),
		'/api/horses/owner/{id}': inventedId('member', index * 17),
		'/api/horses/{id}': inventedId('horse', (index * 3) % size.transfers),
		'/api/events/{id}': inventedId('event', event),
		'/api/masterdata/venues/{id}': inventedId('venue', index % size.venues),
		'/auth/users/{id}': inventedId('user', index * 13),
	};
	const [prefix = ''] = Object.keys(ids)
		.filter((known) => path.startsWith(known))
		.sort((a, b) => b.length - a.length);
	return path
		.replace('{id}', ids[prefix] ?? inventedId('member', index))
		.replace('{entryId}', inventedId('entry', event * entriesPerEvent + (index % 100)))
		.replace('{competitionId}', inventedId('competition', event * 6))
		.replace('{transferId}', inventedId('transfer', index))
		.replace('{number}', microchipOf(index * 7))
		.replace('{code}', 'AT')
		.replaceAll(/\{\w+\}/g, inventedId('member', index));
}

/** Titles and values of a parameter, from its schema and, for references, its name. */
function valuesOf(
	{ name, schema }: Parameter,
	{ size, resolve }: Sources,
): readonly (readonly [string, Value])[] {
	const resolved = resolve(schema);
	const { type, format } = resolved;
	const items = resolved.items === undefined ? undefined : resolve(resolved.items);
	const words = resolved.enum ?? items?.enum;
	if (words !== undefined) return words.map((word) => [word, word]);
	if (type === 'boolean') return ['true', 'false'].map((word) => [word, word]);
	if (isText(name)) return searches.map((word) => [word, word]);
	if (format === 'uuid' || items?.format === 'uuid')
		return [['one', (index) => referenceId(name, index, size)]];
	if (format === 'date-time' || items?.format === 'date-time')
		return [
			['yesterday', instantBefore(1)],
			['a year ago', instantBefore(365)],
		];
	if (
		format === 'date' ||
		name.startsWith('born') ||
		name === 'from' ||
		name === 'to' ||
		name === 'on' ||
		name === 'date'
	)
		return [['this year', dayInVienna(new Date())]];
	if (type === 'integer')
		return [['this year', String(Math.max(new Date().getFullYear(), resolved.minimum ?? 0))]];
	const known: Record<string, Value> = {
		stateCode: 'AT-3',
		nationality: 'DE',
		countryCode: 'AT',
		breed: 'Haflinger',
		category: 'CSN-C',
		birthDate: '2010-05-05',
	};
	const example = known[name] ?? String(items?.example ?? resolved.example ?? 'AT');
	return [[textOf(example, 0), example]];
}

function instantBefore(days: number): string {
	return new Date(Date.now() - days * 86_400_000).toISOString();
}

function referenceId(name: string, index: number, size: RegistrySize): string {
	if (/club/i.test(name)) return inventedId('club', index % size.clubs);
	if (/horse/i.test(name)) return inventedId('horse', index * 3);
	if (/venue/i.test(name)) return inventedId('venue', index % size.venues);
	if (/event/i.test(name)) return inventedId('event', index % size.events);
	if (/competition/i.test(name)) return inventedId('competition', index * 6);
	return inventedId('member', index * 17);
}
