type Json = Readonly<Record<string, unknown>>;

interface Sorted {
	readonly parameters?: readonly { readonly name: string; readonly schema?: Json }[];
	readonly responses: Readonly<Record<string, unknown>>;
}

/** The parts of an OpenAPI document that this module reads. */
interface WithEnums {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Sorted>>>>;
	readonly components: { readonly schemas?: Readonly<Record<string, object>> };
}

/**
 * Refers to a named enumeration wherever its values are listed, so that a generated client has one type for them: the
 * generator of the document repeats the values in parameters and beside a description of their own. Values to sort by
 * are named after the listed records. Nullable enumerations stay: OpenAPI 3.0 has no nullable reference.
 */
export function withNamedEnums<Document extends WithEnums>(document: Document): Document {
	const schemas = { ...document.components.schemas, ...sortEnums(document) };
	const names = namesByValues(schemas);
	const named = Object.entries(schemas).map(([name, schema]) => [
		name,
		'enum' in schema ? schema : referring(schema, names),
	]);
	const components = { ...document.components, schemas: Object.fromEntries(named) };
	return { ...document, paths: referring(document.paths, names), components };
}

/** One enumeration per kind of listed record, such as ClubSort: the values of `sort` in its lists. */
function sortEnums({ paths }: WithEnums): Record<string, object> {
	const found: Record<string, object> = {};
	for (const { parameters = [], responses } of Object.values(paths).flatMap((item) => Object.values(item))) {
		const items = parameters.find(({ name }) => name === 'sort')?.schema?.['items'];
		const page = /schemas\/(\w+)PageResponse"/.exec(JSON.stringify(responses))?.[1];
		if (items === undefined || page === undefined) continue;
		const name = `${page}Sort`;
		const schema = { ...(items as object), description: 'Field to sort by; - for descending.' };
		if (JSON.stringify(found[name] ?? schema) !== JSON.stringify(schema))
			throw new TypeError(`Lists of ${page} sort by different fields.`);
		found[name] = schema;
	}
	return found;
}

/** Names by values; without values that have several names, because those can't be told apart. */
function namesByValues(schemas: Readonly<Record<string, object>>): ReadonlyMap<string, string> {
	const enums = Object.entries(schemas).filter(([, schema]) => 'enum' in schema);
	const byValues = Map.groupBy(enums, ([, schema]) => JSON.stringify((schema as Json)['enum']));
	return new Map(
		[...byValues].flatMap(([values, [first, second]]) =>
			first !== undefined && second === undefined ? [[values, first[0]] as const] : [],
		),
	);
}

function referring<Part>(part: Part, names: ReadonlyMap<string, string>): Part {
	return JSON.parse(JSON.stringify(part), (_key, value: unknown) => {
		if (typeof value !== 'object' || value === null || !('enum' in value) || 'nullable' in value)
			return value;
		const { enum: values, type: _type, ...rest } = value as Json;
		const name = names.get(JSON.stringify(values));
		if (name === undefined) return value;
		const reference = { $ref: `#/components/schemas/${name}` };
		return Object.keys(rest).length === 0 ? reference : { allOf: [reference], ...rest };
	}) as Part;
}
