import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { yamlText } from '../../gateway/src/portal/yaml-text.ts';
import type { OpenapiDocument } from '../openapi-document.ts';
import { contractChanges, isSuccess } from './contract-changes.ts';

const path = fileURLToPath(new URL('../../docs/openapi-released.yaml', import.meta.url));

/** The OpenAPI document of the last release, without texts and examples. */
export function releasedContract(): OpenapiDocument {
	// The first releases have no error codes.
	return {
		'x-error-codes': {},
		...(parse(readFileSync(path, 'utf8')) as Omit<OpenapiDocument, 'x-error-codes'>),
	};
}

export function releasedFile(document: OpenapiDocument): readonly [path: string, text: string] {
	const { info, paths, components, 'x-error-codes': codes } = document;
	const { schemas, parameters = {}, responses = {} } = components;
	const compared = {
		info,
		paths: mapValues(paths, (item) =>
			mapValues(item, (operation) => ({
				...operation,
				responses: Object.fromEntries(
					Object.entries(operation.responses).filter(([status]) => isSuccess(status)),
				),
			})),
		),
		components: { schemas, parameters, responses },
		'x-error-codes': codes,
	};
	const text = yamlText(withoutProse(compared) as object);
	return [path, `# The contract of the last release, written by \`npm run release\`. Do not edit.\n${text}`];
}

function mapValues<Value, Result>(object: Readonly<Record<string, Value>>, change: (value: Value) => Result) {
	return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

const prose = new Set(['description', 'summary', 'example', 'message', 'tags']);

function withoutProse(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutProse);
	if (typeof value !== 'object' || value === null) return value;
	const kept = Object.entries(value).filter(([key, part]) => !prose.has(key) || isSchema(part));
	return Object.fromEntries(kept.map(([key, part]) => [key, withoutProse(part)]));
}

const schemaKeywords = ['type', '$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'nullable'];

/** A property of a schema may be named like a text, e.g. `description`. */
const isSchema = (part: unknown): boolean =>
	typeof part === 'object' && part !== null && schemaKeywords.some((keyword) => keyword in part);

/** The breaking changes since the last release that the current version doesn't announce, see docs/api-policy.md. */
export function unannouncedChanges(current: OpenapiDocument): readonly string[] {
	const released = releasedContract();
	if (mayBreak(released.info.version, current.info.version)) return [];
	return contractChanges(released, current)
		.filter(({ kind }) => kind === 'breaking')
		.map(({ text }) => text);
}

/** Whether the next version may break clients: another major version, or before 1.0.0 another minor one. */
export function mayBreak(released: string, next: string): boolean {
	const [[major = 0, minor = 0], [nextMajor = 0, nextMinor = 0]] = [released, next].map((version) =>
		version.split('.').map(Number),
	) as [number[], number[]];
	return nextMajor > major || (nextMajor === 0 && major === 0 && nextMinor > minor);
}
