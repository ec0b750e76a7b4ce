import { setImmediate } from 'node:timers/promises';
import type { OpenapiDocument } from '../contexts/openapi-document.ts';
import { flowText, yamlText } from './yaml-text.ts';

/** An OpenAPI document as YAML. Written in parts: as a whole it would block the event loop for a fifth of a second. */
export async function openapiText(document: OpenapiDocument): Promise<string> {
	const texts: string[] = [];
	for (const part of partsOf(document)) {
		texts.push(part());
		await setImmediate();
	}
	return texts.join('');
}

function partsOf({ components, ...document }: OpenapiDocument): (() => string)[] {
	return Object.entries({ ...document, components }).flatMap(([key, value]) => {
		if (key === 'paths') return entries([key], value as object);
		if (key !== 'components') return [() => yamlText({ [key]: value })];
		return Object.entries(components).flatMap(([kind, named], index) => {
			const [first, ...others] = entries([key, kind], named);
			// The line of the parent belongs to its first kind only.
			const opened = () => `${index === 0 ? `${key}:\n` : ''}${first?.() ?? ''}`;
			return [opened, ...others];
		});
	});
}

// Above it, the text of one part would take a quarter of a second.
const blockCharsMax = 200_000;

/** A value in one line, below the lines of its parents. */
function lineText(place: readonly string[], name: string, value: unknown): string {
	const parents = place.map((key, depth) => `${'  '.repeat(depth)}${key}:\n`);
	return `${parents.join('')}${'  '.repeat(place.length)}${JSON.stringify(name)}: ${flowText(value)}\n`;
}

/** The entries of an object at a place in the document, each as text; the first one with the line of its last parent. */
function entries(place: readonly string[], named: object): (() => string)[] {
	return Object.entries(named).map(([name, value], index) => () => {
		const nested = place.reduceRight<object>((inner, key) => ({ [key]: inner }), { [name]: value });
		const large = JSON.stringify(value).length > blockCharsMax;
		const lines = (large ? lineText(place, name, value) : yamlText(nested)).split('\n');
		const parents = index === 0 ? place.length - 1 : place.length;
		return lines.slice(place.length === 1 && index === 0 ? 0 : parents).join('\n');
	});
}
