import { type Described, mapValues, operationsOf } from './components.ts';
import { referredSchemas, requestedSchemas } from './open-responses.ts';
import { componentOf } from './schemas.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The document with open enumerations in responses (`x-extensible-enum`); requests refer to `KnownHorseStatus`. */
export function withOpenEnumerations({ components, paths }: Described): Described {
	const { schemas } = components;
	const returned = closure(
		operationsOf(paths).map(({ responses }) => responses),
		components,
	);
	const requested = requestedSchemas({ components, paths });
	const open = new Set([...returned].filter((name) => isOpen(schemas[name])));
	const known = new Set<string>();
	const closed = <Part>(part: Part): Part =>
		JSON.parse(JSON.stringify(part), (key, value: unknown) => {
			const name = key === '$ref' ? String(value).split('/').at(-1) : undefined;
			if (name === undefined || !open.has(name)) return value;
			known.add(name);
			return componentOf('schemas', `Known${name}`);
		}) as Part;
	const changed = mapValues(paths, (item) =>
		mapValues(item, ({ requestBody, parameters, ...operation }) => ({
			...operation,
			...(parameters === undefined ? {} : { parameters: closed(parameters) }),
			...(requestBody === undefined ? {} : { requestBody: closed(requestBody) }),
		})),
	);
	const rewritten = Object.entries(schemas).map(([name, schema]) => {
		if (open.has(name)) return [name, opened(schema as Schema)] as const;
		// What both sides use is open: a request with another value is refused all the same.
		if (returned.has(name))
			return [name, requested.has(name) ? schema : deeplyOpened(schema as Schema)] as const;
		return [name, requested.has(name) ? closed(schema) : schema] as const;
	});
	const named = [...known].map((name) => [`Known${name}`, schemas[name]] as const);
	return {
		components: {
			...components,
			schemas: Object.fromEntries([...rewritten, ...named]) as Described['components']['schemas'],
		},
		paths: changed,
	};
}

/** Whether it has several values: a single one is a constant. */
function isOpen(schema: object = {}): boolean {
	const { type, enum: listed } = schema as Schema;
	const values = Array.isArray(listed) ? listed : [];
	return type === 'string' && values.filter((value) => value !== null).length > 1;
}

function opened({ enum: values, description, ...schema }: Schema): Schema {
	const known = (values as readonly unknown[]).filter((value) => value !== null);
	return { ...schema, 'x-extensible-enum': known, ...(description === undefined ? {} : { description }) };
}

function deeplyOpened(schema: Schema): Schema {
	return JSON.parse(JSON.stringify(schema), (_key, part: unknown) =>
		isOpen(Object(part)) ? opened(part as Schema) : part,
	) as Schema;
}

function closure(
	parts: readonly object[],
	{ schemas, responses }: Described['components'],
): ReadonlySet<string> {
	const text = JSON.stringify(parts);
	const shared = Object.entries(responses).filter(([name]) => text.includes(componentOf('responses', name)));
	const found = new Set([...parts, ...shared.map(([, part]) => part)].flatMap(referredSchemas));
	for (const name of found) for (const inner of referredSchemas(schemas[name] ?? {})) found.add(inner);
	return found;
}
