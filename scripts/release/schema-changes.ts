import type { Schema } from '../openapi-document.ts';

/** One difference between two versions of the API, as docs/api-policy.md classifies it. */
export interface Change {
	readonly kind: 'breaking' | 'added' | 'deprecated';
	readonly text: string;
}

type Resolve = (schema: Schema) => Schema;

/** Who sends the data: the client (request) or the server (response). */
type Direction = 'request' | 'response';

export interface SchemaComparison {
	readonly resolveReleased: Resolve;
	readonly resolveCurrent: Resolve;
	/** Pairs of components that are compared already; they may be recursive. */
	readonly compared: Set<string>;
	readonly report: (change: Change) => void;
}

const lowerBounds = ['minimum', 'minLength', 'minItems'];
const upperBounds = ['maximum', 'maxLength', 'maxItems'];
const fixedInRequests = ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems'];
const fixed = ['format', 'pattern'];

/** Reports the changes from `before` to `after`; `at` locates the schema for people. */
export function compareSchemas(
	comparison: SchemaComparison,
	direction: Direction,
	at: string,
	[before, after]: readonly [Schema, Schema],
): void {
	const name = after.$ref?.split('/').at(-1);
	if (name !== undefined) {
		const pair = `${direction} ${before.$ref ?? JSON.stringify(before)} ${after.$ref}`;
		if (comparison.compared.has(pair)) return;
		comparison.compared.add(pair);
	}
	// A component is used at many places, but changes once. Envelopes differ per operation only in `data`.
	const place = name === undefined || name.endsWith('Envelope') ? at : name;
	const released = whole(before, comparison.resolveReleased);
	const current = whole(after, comparison.resolveCurrent);
	const breaking = (text: string) =>
		comparison.report({ kind: 'breaking', text: `\`${place}\` in ${direction}s: ${text}` });
	for (const text of narrowed(released, current, direction)) breaking(text);
	const values = direction === 'response' ? newValues(released, current) : [];
	if (values.length > 0)
		comparison.report({ kind: 'added', text: `\`${place}\` in responses: ${values.join(', ')}` });
	if (released.type !== current.type) return;
	compareAlternatives(comparison, direction, place, [released.anyOf ?? [], current.anyOf ?? []]);
	compareProperties(comparison, direction, place, [released, current]);
	if (released.items !== undefined && current.items !== undefined)
		compareSchemas(comparison, direction, `${place}[]`, [released.items, current.items]);
	const [valuesBefore, valuesAfter] = [released.additionalProperties, current.additionalProperties];
	if (typeof valuesBefore === 'object' && typeof valuesAfter === 'object')
		compareSchemas(comparison, direction, `${place}.*`, [valuesBefore, valuesAfter]);
}

/** The schema with references and `allOf` resolved at its top. */
function whole(schema: Schema, resolve: Resolve): Schema {
	const { allOf, ...own } = resolve(schema);
	const parts = [...(allOf ?? []).map((part) => whole(part, resolve)), own as Schema];
	return {
		...Object.assign({}, ...parts),
		properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
		required: parts.flatMap(({ required = [] }) => required),
	};
}

/** What the current schema no longer accepts in a request, or newly returns in a response. */
function narrowed(released: Schema, current: Schema, direction: Direction): readonly string[] {
	const texts: string[] = [];
	const change = (keyword: string) => {
		const [before, after] = [released[keyword], current[keyword]].map(
			(value) => JSON.stringify(value) ?? 'none',
		);
		if (before !== after) texts.push(`${keyword} ${before} is ${after}`);
	};
	const isRequest = direction === 'request';
	const [narrow, wide] = isRequest ? [current, released] : [released, current];
	if (!(narrow.type === 'number' && wide.type === 'integer')) change('type');
	if (wide.nullable === true && narrow.nullable !== true)
		texts.push(isRequest ? 'null is refused' : 'may be null');
	// A response with an open enumeration may have further values at any time; a client knows that from the contract.
	const isNarrow = narrow.enum !== undefined || (isRequest && valuesOf(narrow) !== undefined);
	if (isNarrow) {
		const values = isRequest ? valuesOf(wide) : wide.enum;
		const lost = values?.filter((value) => !valuesOf(narrow)?.includes(value)) ?? ['other values'];
		if (lost.length > 0) texts.push(`${isRequest ? 'refuses' : 'may be'} ${lost.join(', ')}`);
	}
	for (const keyword of fixed) change(keyword);
	if (!isRequest) return texts;
	for (const keyword of fixedInRequests) change(keyword);
	if (current.additionalProperties === false && released.additionalProperties !== false)
		texts.push('refuses unknown properties');
	// A reference cannot have a default beside it, so the document may lose one that still applies.
	if (released.default !== undefined && current.default !== undefined) change('default');
	for (const keyword of lowerBounds)
		if (Number(current[keyword] ?? -Infinity) > Number(released[keyword] ?? -Infinity)) change(keyword);
	for (const keyword of upperBounds)
		if (Number(current[keyword] ?? Infinity) < Number(released[keyword] ?? Infinity)) change(keyword);
	return texts;
}

/** The values of an enumeration, also of an open one. */
function valuesOf(schema: Schema): readonly unknown[] | undefined {
	return schema.enum ?? (schema['x-extensible-enum'] as readonly unknown[] | undefined);
}

/** New values of an open enumeration, for the changelog. */
function newValues(released: Schema, current: Schema): readonly unknown[] {
	const before = released['x-extensible-enum'] as readonly unknown[] | undefined;
	if (before === undefined) return [];
	return (valuesOf(current) ?? []).filter((value) => value !== null && !before.includes(value));
}

function compareAlternatives(
	comparison: SchemaComparison,
	direction: Direction,
	at: string,
	[before, after]: readonly [readonly Schema[], readonly Schema[]],
): void {
	const isNarrower = direction === 'request' ? after.length < before.length : after.length > before.length;
	if (isNarrower)
		comparison.report({ kind: 'breaking', text: `\`${at}\` in ${direction}s: other alternatives` });
	for (const [index, released] of before.entries()) {
		const current = after[index];
		if (current !== undefined) compareSchemas(comparison, direction, at, [released, current]);
	}
}

function compareProperties(
	comparison: SchemaComparison,
	direction: Direction,
	at: string,
	[released, current]: readonly [Schema, Schema],
): void {
	const { report } = comparison;
	const where = `in ${direction}s`;
	const isRequired = (schema: Schema, name: string) => schema.required?.includes(name) === true;
	for (const [name, before] of Object.entries(released.properties ?? {})) {
		const after = current.properties?.[name];
		const place = `${at}.${name}`;
		if (after === undefined) {
			report({ kind: 'breaking', text: `\`${place}\` ${where}: removed` });
			continue;
		}
		const [was, is] = [isRequired(released, name), isRequired(current, name)];
		if (direction === 'request' && is && !was)
			report({ kind: 'breaking', text: `\`${place}\` ${where}: required` });
		if (direction === 'response' && was && !is)
			report({ kind: 'breaking', text: `\`${place}\` ${where}: may be absent` });
		compareSchemas(comparison, direction, place, [before, after]);
	}
	for (const name of Object.keys(current.properties ?? {})) {
		if (released.properties?.[name] !== undefined) continue;
		const isBreaking = direction === 'request' && isRequired(current, name);
		const text = `\`${at}.${name}\` ${where}: new${isBreaking ? ' and required' : ''}`;
		report({ kind: isBreaking ? 'breaking' : 'added', text });
	}
}
