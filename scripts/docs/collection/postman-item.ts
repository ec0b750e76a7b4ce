import { STATUS_CODES } from 'node:http';
import type { PlannedStep } from './plan-folder.ts';

/**
 * A request in Postman's format 2.1, see https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
 * @param withExample whether it has the example response of its operation
 */
export function postmanItem(planned: PlannedStep, withExample: boolean): object {
	const { step, operation } = planned;
	const events = [
		...(step.before === undefined ? [] : [script('prerequest', step.before)]),
		script('test', testScript(planned)),
	];
	const url = urlOf(planned);
	return {
		name: step.name ?? operation.summary,
		event: events,
		...(operation.status >= 300 ? { protocolProfileBehavior: { followRedirects: false } } : {}),
		request: {
			method: operation.method,
			...described(operation.description),
			...authOf(planned),
			header: headersOf(planned),
			...bodyOf(planned),
			url,
		},
		response: withExample ? exampleResponses(operation, url.raw) : [],
	};
}

function exampleResponses(operation: PlannedStep['operation'], url: string): readonly object[] {
	const { method, status, responseExample } = operation;
	if (responseExample === undefined) return [];
	return [
		{
			name: STATUS_CODES[status],
			originalRequest: { method, header: [], url },
			status: STATUS_CODES[status],
			code: status,
			_postman_previewlanguage: 'json',
			header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
			body: JSON.stringify(responseExample, undefined, 2),
		},
	];
}

export function script(listen: 'prerequest' | 'test', lines: readonly string[]): object {
	return { listen, script: { type: 'text/javascript', exec: lines } };
}

/** The collection's token unless the request needs none or another. */
function authOf({ step, operation }: PlannedStep): object {
	if (operation.isPublic) return { auth: { type: 'noauth' } };
	return step.token === undefined ? {} : { auth: bearer(step.token) };
}

export function bearer(variable: string): object {
	return { type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] };
}

function described(content = ''): object {
	return content === '' ? {} : { description: { content, type: 'text/plain' } };
}

function headersOf({ step, operation }: PlannedStep): readonly object[] {
	const declared = operation.parameters.filter((parameter) => parameter.in === 'header');
	return [
		...declared.map(({ name, description }) => {
			const given = step.headers?.[name] ?? preconditionOf(name, operation);
			return {
				key: name,
				value: given ?? '',
				...(given === undefined ? { disabled: true } : {}),
				...described(description),
			};
		}),
		...(operation.bodyExample === undefined
			? []
			: [{ key: 'Content-Type', value: operation.bodyType ?? 'application/json' }]),
		{ key: 'Accept', value: operation.accept },
	];
}

/** The If-Match value for every update and confirmation, so that a copy of the request cannot overwrite later changes. */
function preconditionOf(header: string, operation: PlannedStep['operation']): string | undefined {
	return header === 'If-Match' && (operation.method === 'PATCH' || operation.operationId === 'confirmEntry')
		? `"{{${versionVariable(operation)}}}"`
		: undefined;
}

function bodyOf({ step, operation }: PlannedStep): object {
	if (operation.bodyExample === undefined) return {};
	const example = operation.method === 'PATCH' && step.body !== undefined ? {} : operation.bodyExample;
	const body = { ...(example as object), ...step.body };
	const raw = JSON.stringify(body, undefined, 2);
	return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } };
}

function urlOf({ step, operation }: PlannedStep) {
	const path = operation.path.slice(1).split('/');
	const filled = path.map((part, index) =>
		part.replace(/\{(\w+)\}/, (_, name: string) => parameterOf(name, path.slice(0, index), step, operation)),
	);
	const declared = operation.parameters.filter((parameter) => parameter.in === 'query');
	const query = declared.map(({ name, example, description }) => ({
		key: name,
		value: step.query?.[name] ?? example,
		...(step.query?.[name] === undefined ? { disabled: true } : {}),
		...described(description),
	}));
	const sent = Object.entries(step.query ?? {}).map(([key, value]) => `${key}=${value}`);
	return {
		raw: `{{baseUrl}}/${filled.join('/')}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
		host: ['{{baseUrl}}'],
		path: filled,
		...(query.length === 0 ? {} : { query }),
	};
}

function parameterOf(
	name: string,
	before: readonly string[],
	step: PlannedStep['step'],
	operation: PlannedStep['operation'],
): string {
	const given = step.path?.[name];
	if (given !== undefined) return given;
	if (/^id$|Id$/.test(name)) return `{{${idVariable(before.join('/'))}}}`;
	return operation.parameters.find((parameter) => parameter.name === name)?.example ?? '';
}

/** The tests that run after a request: status, shape, and the variables for later requests. */
function testScript({ step, operation }: PlannedStep): readonly string[] {
	const status = step.status ?? operation.status;
	const lines = [`pm.test('returns ${status}', () => pm.response.to.have.status(${status}));`];
	if (operation.response === 'other') {
		return [...lines, "pm.test('is not empty', () => pm.expect(pm.response.text()).to.not.equal(''));"];
	}
	lines.push('const response = pm.response.json();');
	if (operation.response !== 'json') lines.push(...envelopeTests(status < 400));
	if (operation.response === 'page') lines.push(...pageTests);
	const kept = [...keepLines({ step, operation }), ...versionLines(operation)];
	return [...lines, ...kept, ...(step.tests ?? [])];
}

const envelopeTests = (isSuccess: boolean) => [
	`pm.test('is an envelope of a ${isSuccess ? 'success' : 'failure'}', () => {`,
	"	pm.expect(response).to.have.all.keys('success', 'data', 'message', 'timestamp');",
	`	pm.expect(response.success).to.equal(${isSuccess});`,
	'	pm.expect(new Date(response.timestamp).toISOString()).to.equal(response.timestamp);',
	'});',
];

const pageTests = [
	"pm.test('is a page of a list', () => {",
	"	pm.expect(response.data.items).to.be.an('array');",
	'	pm.expect(response.data.pagination.totalElements).to.be.at.least(response.data.items.length);',
	'});',
];

function keepLines({ step, operation }: PlannedStep): readonly string[] {
	const created = operation.status === 201 ? { [idVariable(operation.path)]: 'data.id' } : {};
	return Object.entries(step.keep ?? created).map(
		([name, path]) => `pm.collectionVariables.set('${name}', response.${path});`,
	);
}

type Operation = PlannedStep['operation'];

// The version of another record of the same kind, e.g. one that was looked up, must not replace that of the record in use.
function versionLines(operation: Operation): readonly string[] {
	if (!operation.isVersioned) return [];
	return [
		`const known = pm.collectionVariables.get('${idVariable(recordPath(operation))}');`,
		'if (!known || known === response.data.id)',
		`	pm.collectionVariables.set('${versionVariable(operation)}', response.data.version);`,
	];
}

/** The variable that holds the version of an operation's record: `PATCH /api/x/venues/{id}` → `venuesVersion`. */
function versionVariable(operation: Operation): string {
	return idVariable(recordPath(operation)).replace(/Id$/, 'Version');
}

/** The path of the record: an action below `{id}` concerns that record, but a POST that creates has a record of its own. */
function recordPath({ path, status }: Operation): string {
	const end = path.lastIndexOf('}');
	return end === -1 || status === 201 ? path : path.slice(0, end + 1);
}

/** The variable for the id of the records at a path: `/api/x/age-classes` → `ageClassesId`. */
function idVariable(path: string): string {
	const literals = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
	const name = (literals.at(-1) ?? '').replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
	return `${name}Id`;
}
