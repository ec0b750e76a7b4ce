import { setImmediate } from 'node:timers/promises';
import type { OpenapiDocument } from '../contexts/openapi-document.ts';
import { yamlText } from './yaml-text.ts';

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

/** The entries of an object at a place in the document, each as text; the first one with the line of its last parent. */
function entries(place: readonly string[], named: object): (() => string)[] {
	return Object.entries(named).map(([name, value], index) => () => {
		const nested = place.reduceRight<object>((inner, key) => ({ [key]: inner }), { [name]: value });
		const lines = yamlText(nested).split('\n');
		const parents = index === 0 ? place.length - 1 : place.length;
		return lines.slice(place.length === 1 && index === 0 ? 0 : parents).join('\n');
	});
}
