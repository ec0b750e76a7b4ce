import type { FieldError, FieldErrorCode } from '@paddock/contract';
import type { ErrorObject } from 'ajv';

const messageCharsMax = 300;
const valuesMax = 50;

const typeWords: Readonly<Record<string, string>> = {
	string: 'a text',
	number: 'a number',
	integer: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	object: 'an object',
	null: 'null',
};

type Params = Readonly<Record<string, unknown>>;
type Described = readonly [code: FieldErrorCode, message: (params: Params) => string];

const limit =
	(words: string, unit = '') =>
	(params: Params) =>
		`must have ${words} ${params['limit']}${unit}`;
const bound = ({ comparison, limit: value }: Params) =>
	`must be ${{ '>=': 'at least', '<=': 'at most', '>': 'greater than', '<': 'less than' }[String(comparison)]} ${value}`;

const described: Readonly<Record<string, Described>> = {
	type: [
		'INVALID_FORMAT',
		({ type }) =>
			`must be ${[type]
				.flat()
				.map((each) => typeWords[String(each)])
				.join(' or ')}`,
	],
	enum: [
		'INVALID_FORMAT',
		({ allowedValues }) => `must be one of ${[allowedValues].flat().slice(0, valuesMax).join(', ')}`,
	],
	const: ['INVALID_FORMAT', ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`],
	format: ['INVALID_FORMAT', ({ format }) => `must be in the format ${format}`],
	pattern: ['INVALID_FORMAT', ({ pattern }) => `must match ${pattern}`],
	minLength: ['INVALID_LENGTH', limit('at least', ' characters')],
	maxLength: ['INVALID_LENGTH', limit('at most', ' characters')],
	minItems: ['INVALID_LENGTH', limit('at least', ' elements')],
	maxItems: ['INVALID_LENGTH', limit('at most', ' elements')],
	minProperties: ['INVALID_LENGTH', limit('at least', ' properties')],
	maxProperties: ['INVALID_LENGTH', limit('at most', ' properties')],
	uniqueItems: ['INVALID_FORMAT', () => 'must not have equal elements'],
	minimum: ['INVALID_RANGE', bound],
	maximum: ['INVALID_RANGE', bound],
	exclusiveMinimum: ['INVALID_RANGE', bound],
	exclusiveMaximum: ['INVALID_RANGE', bound],
	multipleOf: ['INVALID_RANGE', ({ multipleOf }) => `must be a multiple of ${multipleOf}`],
};
// They say only that one of the errors beside them counts.
const summaries = new Set(['allOf', 'anyOf', 'if', 'oneOf']);

/** The errors of a request's fields. @param prefixed how many segments in front are not part of the field's name */
export function fieldErrorsOf(errors: readonly ErrorObject[], prefixed: number): FieldError[] {
	const details = errors.filter(({ keyword }) => !summaries.has(keyword));
	const real = details.filter(({ keyword, params }) => !(keyword === 'type' && params['type'] === 'null'));
	const found = (real.length > 0 ? real : errors).map((error) => fieldErrorOf(error, prefixed));
	return [...new Map(found.map((each) => [`${each.field} ${each.message}`, each])).values()];
}

function fieldErrorOf({ keyword, instancePath, params }: ErrorObject, prefixed: number): FieldError {
	const path = instancePath
		.split('/')
		.slice(1 + prefixed)
		.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
	if (keyword === 'required' || keyword === 'dependentRequired')
		return {
			field: fieldPath([...path, params['missingProperty']]),
			code: 'REQUIRED',
			message: 'is required',
		};
	const unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
	if (unknown !== undefined)
		return { field: fieldPath([...path, unknown]), code: 'UNKNOWN_FIELD', message: 'is not known here' };
	const [code, message]: Described = described[keyword] ?? ['INVALID_FORMAT', () => 'is not valid'];
	return { field: fieldPath(path), code, message: message(params).slice(0, messageCharsMax).toWellFormed() };
}

function fieldPath(path: readonly unknown[]): string {
	return path.reduce<string>((text, part) => {
		if (/^\d+$/.test(String(part)) && text !== '') return `${text}[${part}]`;
		return text === '' ? String(part) : `${text}.${part}`;
	}, '');
}
