import { withFormerExample, withoutRequiredNames } from '../routes/former-names.ts';
import { type Described, mapValues, operationsOf } from './components.ts';

/** The document without `additionalProperties: false` in responses, to which later versions may add properties. */
export function withOpenResponses({ components, paths }: Described): Described {
	const requested = requestedSchemas({ components, paths });
	const schemas = Object.entries(components.schemas).map(([name, schema]) => [
		name,
		requested.has(name) ? withoutRequiredNames(schema) : withFormerExample(opened(schema)),
	]);
	return {
		components: { ...components, schemas: Object.fromEntries(schemas) },
		paths: mapValues(paths, (item) =>
			mapValues(item, (operation) => ({ ...operation, responses: opened(operation.responses) })),
		),
	};
}

/** The names of the components that request bodies refer to, directly or not. */
export function requestedSchemas({ components, paths }: Described): ReadonlySet<string> {
	const found = new Set(operationsOf(paths).flatMap(({ requestBody = {} }) => referredSchemas(requestBody)));
	for (const name of found)
		for (const inner of referredSchemas(components.schemas[name] ?? {})) found.add(inner);
	return found;
}

export function referredSchemas(part: object): readonly string[] {
	const references = JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
	return [...references].map(([, name = '']) => name);
}

function opened<Part>(part: Part): Part {
	return JSON.parse(JSON.stringify(part), (key, value: unknown) =>
		key === 'additionalProperties' && value === false ? undefined : value,
	) as Part;
}
