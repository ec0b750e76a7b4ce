interface Schema {
	readonly $ref?: string;
	readonly properties?: Schemas;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly additionalProperties?: Schema | boolean;
	readonly allOf?: readonly Schema[];
	readonly anyOf?: readonly Schema[];
	readonly [keyword: string]: unknown;
}

export type Schemas = Readonly<Record<string, Schema>>;

/**
 * A schema that refuses undeclared properties: the document leaves responses open to later versions, but a test must
 * notice what this version does not declare. Of several views of a record it accepts each, and no mixture.
 */
export function closedSchema(schema: Schema, schemas: Schemas): Schema {
	const views = schema['x-views'] as readonly Schema[] | undefined;
	if (views !== undefined) return { anyOf: views };
	const { properties, items, additionalProperties, anyOf, ...rest } = inOnePart(schema, schemas);
	const closed = (part: Schema) => closedSchema(part, schemas);
	return {
		...rest,
		...(items === undefined ? {} : { items: closed(items) }),
		...(anyOf === undefined ? {} : { anyOf: anyOf.map(closed) }),
		...(properties === undefined
			? {}
			: { properties: mapValues(properties, closed), additionalProperties: false }),
		...(additionalProperties === undefined
			? {}
			: {
					additionalProperties:
						typeof additionalProperties === 'boolean' ? additionalProperties : closed(additionalProperties),
				}),
	};
}

/** The parts of an `allOf` as one schema: each of them, closed alone, would refuse the properties of the others. */
function inOnePart(schema: Schema, schemas: Schemas): Schema {
	const { allOf = [], ...own } = schema;
	if (allOf.length < 2) return schema;
	const parts = [
		...allOf.map(({ $ref, ...part }) => inOnePart(referred($ref, schemas) ?? part, schemas)),
		own,
	];
	return {
		...Object.assign({}, ...parts),
		properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
		required: [...new Set(parts.flatMap(({ required = [] }) => required))],
	};
}

const referred = ($ref: string | undefined, schemas: Schemas) => schemas[$ref?.split('/').at(-1) ?? ''];

function mapValues(parts: Schemas, change: (part: Schema) => Schema): Schemas {
	return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]));
}
