import { setImmediate as turn } from 'node:timers/promises';
import { apiError, type FieldError } from '@paddock/contract';
import { bounded } from '@paddock/service';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { DescribedRequest, RequestCheck } from '../contexts/context.ts';
import { dereferenced } from '../contexts/contract-references.ts';
import { methods } from '../contexts/contracts.ts';
import { isObject, type Json } from '../contexts/openapi-schemas.ts';
import { checkableContract, compilePatterns, type Patterns, stepKeyword } from './checkable-schema.ts';
import { fieldErrorsOf } from './field-errors.ts';
import { type Budget, OverBudget } from './linear-pattern.ts';
import { type Parameter, parametersOf, parameterValues, pointerPart } from './request-parameters.ts';

/** Compiled functions of one contract. */
interface CompiledCheck {
	readonly check: RequestCheck;
	/** Patterns of the contract that are not checked here. */
	readonly unchecked: readonly string[];
}

// Some 50 ms: a schema that refers to itself in several places needs exponential time for a deep body.
const unitsMax = 100_000;
// A schema is compiled in one go, at up to a millisecond for each one within it.
const schemasMax = 8_000;
const innerSchemasMax = 400;
// Those that refer to each other are compiled together, one within the other.
const circleSchemasMax = 1_000;
const circleNamesMax = 150;
const errorsMax = 500;
const formatCharsMax = 4_096;
const base = 'https://contract.invalid/';

/**
 * Compiles the contract of an attached service, one operation in each turn of the event loop. Nothing is fetched: references lead within the
 * document. @throws Error for a schema that is not valid, or too large to be compiled in time
 */
export async function compileRequestCheck(original: Json): Promise<CompiledCheck> {
	const budget = limitedBudget();
	const patterns = await compilePatterns(original, budget);
	const document = checkableContract(original, patterns);
	refuseLarge(document);
	const [forBodies, forParameters] = [false, true].map((coerces) =>
		newAjv(document, { budget, patterns }, coerces),
	) as [Ajv2020, Ajv2020];
	for (const name of compiledInTurn(namedSchemas(document))) {
		for (const ajv of [forBodies, forParameters]) {
			ajv.getSchema(`${base}#/components/schemas/${pointerPart(name)}`);
			await turn();
		}
	}
	const operations = new Map<string, CompiledOperation>();
	for (const [path, item] of Object.entries(document['paths'] as Json)) {
		for (const method of methods) {
			const declared = (item as Json)[method];
			if (!isObject(declared)) continue;
			const operation = { path, method, declared, item: item as Json };
			operations.set(
				`${method.toUpperCase()} ${path}`,
				compileOperation(document, operation, { forBodies, forParameters }),
			);
			await turn();
		}
	}
	const unchecked = [...patterns].flatMap(([source, pattern]) => (pattern ? [] : [source.slice(0, 200)]));
	return { unchecked, check: (request) => checkRequest(operations.get(request.operation), request, budget) };
}

/** @throws Error */
function refuseLarge(document: Json): void {
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

const namedSchemas = ({ components }: Json): Json =>
	isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};

const sizeOf = (part: unknown) => JSON.stringify(part).split(`"${stepKeyword}"`).length - 1;

/**
 * Names of schemas in the order in which they are compiled: each one with those that refer to each other with it, after all others
 * that it refers to, so that no turn compiles more. @throws Error if too many refer to each other
 */
function compiledInTurn(schemas: Json): readonly string[] {
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

interface LimitedBudget extends Budget {
	renew(): void;
}

function limitedBudget(): LimitedBudget {
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

function newAjv(
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

interface CompiledOperation {
	readonly path: string;
	readonly parameters: readonly Parameter[];
	readonly checkParameters: ValidateFunction;
	readonly body:
		| { readonly required: boolean; readonly types: ReadonlyMap<string, ValidateFunction | undefined> }
		| undefined;
}

function compileOperation(
	document: Json,
	operation: { readonly path: string; readonly method: string; readonly declared: Json; readonly item: Json },
	ajvs: { readonly forBodies: Ajv2020; readonly forParameters: Ajv2020 },
): CompiledOperation {
	const { path, method, declared, item } = operation;
	const at = `/paths/${pointerPart(path)}`;
	const parameters = parametersOf(document, [
		[`${at}/parameters`, item['parameters']],
		[`${at}/${method}/parameters`, declared['parameters']],
	]);
	return {
		path,
		parameters,
		checkParameters: ajvs.forParameters.compile(parametersSchema(parameters)),
		body: compileBody(document, declared['requestBody'], `${at}/${method}/requestBody`, ajvs.forBodies),
	};
}

function parametersSchema(parameters: readonly Parameter[]): Json {
	const inPlace = (place: Parameter['place']) => {
		const own = parameters.filter((parameter) => parameter.place === place);
		return {
			type: 'object',
			properties: Object.fromEntries(own.map(({ name, pointer }) => [name, { $ref: `${base}#${pointer}` }])),
			required: own.filter(({ required }) => required).map(({ name }) => name),
		};
	};
	const places = ['path', 'query', 'header', 'cookie'] as const;
	return { type: 'object', properties: Object.fromEntries(places.map((place) => [place, inPlace(place)])) };
}

function compileBody(document: Json, declared: unknown, at: string, ajv: Ajv2020): CompiledOperation['body'] {
	const reference = isObject(declared) ? declared['$ref'] : undefined;
	const body = dereferenced(document, declared);
	if (!isObject(body)) return undefined;
	const own = typeof reference === 'string' ? reference.slice(1) : at;
	const content = isObject(body['content']) ? body['content'] : {};
	const types = Object.entries(content).map(([type, media]) => {
		const pointer = `${base}#${own}/content/${pointerPart(type)}/schema`;
		const hasSchema = isObject(media) && media['schema'] !== undefined;
		return [mediaTypeOf(type), hasSchema ? ajv.compile({ $ref: pointer }) : undefined] as const;
	});
	return { required: body['required'] === true, types: new Map(types) };
}

const mediaTypeOf = (contentType: string) => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** @throws ApiError */
function checkRequest(
	operation: CompiledOperation | undefined,
	request: DescribedRequest,
	budget: LimitedBudget,
): void {
	if (operation === undefined) return;
	budget.renew();
	let errors: FieldError[];
	try {
		errors = [...parameterErrors(operation, request), ...bodyErrors(operation, request)];
	} catch (error) {
		// A body that is nested deeper than the stack.
		if (!(error instanceof OverBudget || error instanceof RangeError)) throw error;
		throw apiError('VALIDATION_ERROR', {
			message: 'The request is too large or nested too deeply to be checked.',
		});
	}
	if (errors.length > 0) throw apiError('VALIDATION_ERROR', { errors: bounded(errors) });
}

function parameterErrors(
	{ path, parameters, checkParameters }: CompiledOperation,
	request: DescribedRequest,
) {
	if (parameters.length === 0) return [];
	const values = parameterValues(parameters, { template: path, url: request.url, headers: request.headers });
	return checkParameters(values) ? [] : fieldErrorsOf((checkParameters.errors ?? []).slice(0, errorsMax), 1);
}

function bodyErrors({ body }: CompiledOperation, { headers, body: bytes }: DescribedRequest): FieldError[] {
	if (body === undefined) return [];
	if (bytes === undefined || bytes.length === 0)
		return body.required ? [{ field: '', code: 'REQUIRED', message: 'a body is required' }] : [];
	const contentType = String(headers['content-type'] ?? '');
	const type = mediaTypeOf(contentType);
	const [range] = type.split('/', 1);
	const declared = [type, `${range}/*`, '*/*'].find((each) => body.types.has(each));
	if (declared === undefined) throw unsupported([...body.types.keys()]);
	if (!/[/+]json$/.test(type)) return [];
	// Of several, programs use the first or the last.
	const charsets = [...contentType.matchAll(/;\s*charset\s*=\s*["']?([^\s;"']*)/gi)];
	const isUtf8 = charsets.every(([, charset = '']) => /^utf-?8$/i.test(charset));
	const isPlain = headers['content-encoding'] === undefined || headers['content-encoding'] === 'identity';
	if (!isPlain || !isUtf8) throw unsupported([...body.types.keys()]);
	const check = body.types.get(declared);
	const value = parsedBody(bytes);
	return check === undefined || check(value)
		? []
		: fieldErrorsOf((check.errors ?? []).slice(0, errorsMax), 0);
}

function unsupported(types: readonly string[]) {
	return apiError('UNSUPPORTED_MEDIA_TYPE', {
		message: `Send the body as ${types.join(' or ').slice(0, 300)}, in UTF-8, not compressed.`,
	});
}

function parsedBody(bytes: Buffer): unknown {
	try {
		return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch {
		throw apiError('MALFORMED_JSON');
	}
}
