import { setImmediate as turn } from 'node:timers/promises';
import { apiError, type FieldError } from '@paddock/contract';
import { bounded } from '@paddock/service';
import type { ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { DescribedRequest, RequestCheck } from '../contexts/context.ts';
import { dereferenced } from '../contexts/contract-references.ts';
import { methods } from '../contexts/contracts.ts';
import { isObject, type Json } from '../contexts/openapi-schemas.ts';
import { checkableContract, compilePatterns } from './checkable-schema.ts';
import { compiledInTurn, namedSchemas, refuseLarge } from './compile-order.ts';
import { base, type LimitedBudget, limitedBudget, newAjv } from './contract-ajv.ts';
import { fieldErrorsOf } from './field-errors.ts';
import { OverBudget } from './linear-pattern.ts';
import { type Parameter, parametersOf, parameterValues, pointerPart } from './request-parameters.ts';

interface CompiledCheck {
	readonly check: RequestCheck;
	/** Patterns of the contract that are not checked here. */
	readonly unchecked: readonly string[];
}

const errorsMax = 500;

/** Compiles a contract, one operation per turn of the event loop. @throws Error if it is invalid or too large */
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
