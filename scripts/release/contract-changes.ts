import {
	type Body,
	type OpenapiDocument,
	type Operation,
	type Parameter,
	resolved,
} from '../openapi-document.ts';
import { type Change, compareSchemas, type SchemaComparison } from './schema-changes.ts';

/** An operation without references. */
type Resolved = Omit<Operation, 'parameters' | 'responses'> & {
	readonly parameters?: readonly Parameter[];
	readonly responses: Readonly<Record<string, Body>>;
};

/** All changes that clients can notice, sorted by kind and place. */
export function contractChanges(released: OpenapiDocument, current: OpenapiDocument): readonly Change[] {
	const changes = new Map<string, Change>();
	const report = (change: Change) => void changes.set(change.text, change);
	const comparison: SchemaComparison = {
		resolveReleased: (schema) => resolved(released, schema),
		resolveCurrent: (schema) => resolved(current, schema),
		compared: new Set(),
		report,
	};
	const now = operationsOf(current);
	for (const [name, before] of operationsOf(released)) {
		const after = now.get(name);
		if (after === undefined) report({ kind: 'breaking', text: `\`${name}\`: removed` });
		else
			compareOperations(comparison, name, [
				withoutReferences(released, before),
				withoutReferences(current, after),
			]);
	}
	const known = operationsOf(released);
	for (const name of now.keys()) if (!known.has(name)) report({ kind: 'added', text: `\`${name}\`` });
	for (const [code, { status }] of Object.entries(current['x-error-codes'])) {
		const before = released['x-error-codes'][code]?.status ?? status;
		if (before !== status) report({ kind: 'breaking', text: `\`${code}\`: status ${before} is ${status}` });
	}
	return [...changes.values()].sort((a, b) => (`${a.kind} ${a.text}` < `${b.kind} ${b.text}` ? -1 : 1));
}

/** By `METHOD /path`. Generated clients contain the names of path parameters, so a renamed one is another path. */
function operationsOf({ paths }: OpenapiDocument): ReadonlyMap<string, Operation> {
	return new Map(
		Object.entries(paths).flatMap(([path, item]) =>
			Object.entries(item).map(
				([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
			),
		),
	);
}

function withoutReferences(contract: OpenapiDocument, operation: Operation): Resolved {
	const responses = Object.entries(operation.responses)
		.filter(([status]) => isSuccess(status))
		.map(([status, body]) => [status, resolved(contract, body)]);
	const parameters = (operation.parameters ?? []).map((parameter) => resolved(contract, parameter));
	return { ...operation, parameters, responses: Object.fromEntries(responses) };
}

type Pair = readonly [before: Resolved, after: Resolved];

function compareOperations(comparison: SchemaComparison, name: string, pair: Pair): void {
	const [before, after] = pair;
	const breaking = (text: string) => comparison.report({ kind: 'breaking', text: `\`${name}\`: ${text}` });
	if (before.operationId !== after.operationId)
		breaking(`operationId ${before.operationId} is ${after.operationId}`);
	if (isPublic(before) && !isPublic(after)) breaking('a token is required');
	const roles = before['x-roles']?.filter((role) => after['x-roles']?.includes(role) === false) ?? [];
	if (roles.length > 0) breaking(`refuses ${roles.join(', ')}`);
	if (before['x-roles'] === undefined && after['x-roles'] !== undefined && !isPublic(before))
		breaking(`for ${after['x-roles'].join(', ')} only`);
	if (after.deprecated === true && before.deprecated !== true)
		comparison.report({ kind: 'deprecated', text: `\`${name}\`, until ${after['x-sunset']} at least` });
	compareParameters(comparison, name, pair);
	const [bodyBefore, bodyAfter] = [before.requestBody, after.requestBody];
	if (bodyBefore?.required !== true && bodyAfter?.required === true) breaking('a body is required');
	compareBodies(comparison, `${name} body`, [bodyBefore ?? {}, bodyAfter ?? {}], 'request');
	for (const [status, response] of Object.entries(before.responses)) {
		const current = after.responses[status];
		if (current === undefined) breaking(`no response ${status}`);
		else compareBodies(comparison, `${name} ${status}`, [response, current], 'response');
	}
}

/** Whether the contract states the data of this status: failures have a common form, and 304 has none. */
export const isSuccess = (status: string): boolean => /^(2|30[1-8])/.test(status) && status !== '304';

const isPublic = ({ security }: Operation) =>
	security?.length === 0 || security?.some((one) => Object.keys(one).length === 0) === true;

function compareParameters(comparison: SchemaComparison, name: string, [before, after]: Pair): void {
	const { report } = comparison;
	const place = ({ in: where, name: parameter }: Parameter) => `${where} ${parameter}`;
	const now = new Map(after.parameters?.map((parameter) => [place(parameter), parameter]));
	for (const parameter of before.parameters ?? []) {
		const key = place(parameter);
		const current = now.get(key);
		now.delete(key);
		const at = `${name} ${key}`;
		if (current === undefined) report({ kind: 'breaking', text: `\`${at}\`: removed` });
		else {
			if (current.required === true && parameter.required !== true)
				report({ kind: 'breaking', text: `\`${at}\`: required` });
			compareSchemas(comparison, 'request', at, [parameter.schema, current.schema]);
		}
	}
	for (const [key, { required }] of now) {
		const text = `\`${name} ${key}\`: new${required === true ? ' and required' : ''}`;
		report({ kind: required === true ? 'breaking' : 'added', text });
	}
}

function compareBodies(
	comparison: SchemaComparison,
	at: string,
	[before, after]: readonly [Body, Body],
	direction: 'request' | 'response',
): void {
	for (const [type, { schema }] of Object.entries(before.content ?? {})) {
		const current = after.content?.[type]?.schema;
		if (current === undefined) comparison.report({ kind: 'breaking', text: `\`${at}\`: no ${type}` });
		else compareSchemas(comparison, direction, at, [schema, current]);
	}
	for (const header of Object.keys(before.headers ?? {}))
		if (after.headers?.[header] === undefined)
			comparison.report({ kind: 'breaking', text: `\`${at}\`: no header ${header}` });
}
