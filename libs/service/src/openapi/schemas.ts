import { z } from 'zod';
import { envelopeOf } from '../routes/envelope.ts';
import { withFormerNames } from '../routes/former-names.ts';

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

export const componentOf = (kind: string, name: string) => `#/components/${kind}/${name}`;

/** Converts schemas to OpenAPI 3.0; those with an `id` become components, to which the others refer. */
export class SchemaConverter {
	readonly components: Record<string, Schema> = {};
	/** Components that no declared schema has: the envelopes of successes, and the values to sort by. */
	readonly derived: Record<string, Schema> = {};
	/** The components as they are declared, as JSON. */
	readonly #declared = new Map<string, string>();
	/** Names of components that are null somewhere. */
	readonly #nullable = new Set<string>();

	convert(schema: z.ZodType): Schema {
		// As a property, because the converted schema itself would be no reference.
		const { properties, definitions = {} } = z.toJSONSchema(z.object({ schema }), {
			target: 'openapi-3.0',
			io: 'input',
			unrepresentable: 'any',
			override: ({ zodSchema, jsonSchema }) => adapt(zodSchema, jsonSchema),
		});
		const text = JSON.stringify({ ...(definitions as Schemas), '': properties?.['schema'] });
		const { '': converted = {}, ...named } = JSON.parse(
			text.replaceAll('"#/definitions/', `"${componentOf('schemas', '')}`),
			(_key, part: unknown) =>
				withFormerNames(inOrder(this.#withoutKeywordsBesideReference(part, definitions as Schemas))),
		) as Schemas;
		for (const [name, part] of Object.entries(named)) {
			const known = this.#declared.get(name) ?? JSON.stringify(part);
			if (known !== JSON.stringify(part)) throw new TypeError(`Two schemas are called ${name}.`);
			this.#declared.set(name, known);
			this.components[name] = this.#nullable.has(name) ? inOrder({ ...part, nullable: true }) : part;
		}
		return converted;
	}

	/** References are never null in OpenAPI 3.0, and a default beside one breaks generators: the description names it. */
	#withoutKeywordsBesideReference(part: unknown, definitions: Schemas): unknown {
		const { allOf = [], nullable, ...own } = Object(part) as Referring;
		const name = allOf[0]?.$ref?.split('/').at(-1);
		if (name === undefined || allOf.length > 1) return part;
		const { type, enum: values } = definitions[name] ?? {};
		if (nullable === true && values !== undefined) return { type, enum: values, nullable, ...own };
		if (nullable === true) this.#nullable.add(name);
		const described = withoutDefault(own);
		return Object.keys(described).length === 0 ? allOf[0] : { allOf, ...described };
	}

	/** The body of an update, in all depths without required fields and defaults, which generated clients would send. */
	patched(body: z.ZodType): Schema {
		return this.#patchOf(this.convert(body));
	}

	#patchOf(schema: Schema): Schema {
		const { $ref, allOf, default: _default, ...described } = schema;
		const own = JSON.parse(JSON.stringify(described), (key, part: unknown) =>
			key === 'description' ? String(part).replace(/ `[^`]*` if absent\.$/, '') : part,
		) as Referring;
		if (allOf !== undefined) return { ...own, allOf: (allOf as Schema[]).map((part) => this.#patchOf(part)) };
		const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : undefined;
		if (name === undefined) return own;
		const {
			required: _,
			example,
			'x-fresh-example': fresh,
			properties,
			...rest
		} = this.components[name] ?? {};
		if (properties === undefined) return schema;
		const patch = `${name.replace(/(?:Change)?(?:Body)?$/, '')}Patch`;
		const fields = Object.entries(properties as Schemas).map(([field, part]) => [field, this.#patchOf(part)]);
		// One field: an example that changes all of them would hide that none is required. Unique ones differ per record.
		const shown = Object.entries({ ...(example as object) }).find(([field]) => !(field in Object(fresh)));
		this.components[patch] = {
			...rest,
			properties: Object.fromEntries(fields),
			...(shown === undefined ? {} : { example: Object.fromEntries([shown]) }),
		};
		return { $ref: componentOf('schemas', patch) };
	}

	/** The envelope of an operation's success, or another one, with its data. */
	enveloped(output: z.ZodType, operationId: string, { id, schema, suffix } = success): Schema {
		const data = this.convert(output);
		this.derived[id] ??= this.convert(schema);
		const name = `${String(data['$ref'] ?? `/${capitalized(operationId)}`)
			.split('/')
			.at(-1)}${suffix}`;
		const own = { required: ['data'], properties: { data } };
		this.#derive(name, { allOf: [{ $ref: componentOf('schemas', id) }, own] });
		return { $ref: componentOf('schemas', name) };
	}

	/** The body of a 503: the data of an operation, or a failure. Named, because generators number inline schemas. */
	unavailable(output: z.ZodType, operationId: string, failure: z.ZodType): Schema {
		const anyOf = [this.enveloped(output, operationId, unavailable), this.convert(failure)];
		const name = `${String(anyOf[0]?.['$ref']).split('/').at(-1)}OrFailure`;
		this.#derive(name, { anyOf, description: 'The data of the operation, or a failure.' });
		return { $ref: componentOf('schemas', name) };
	}

	/** The enumeration of the values to sort by, one per kind of listed record: `ClubSort`. */
	sortedBy(record: string, values: Schema): Schema {
		const name = `${record}Sort`;
		const schema = {
			...values,
			// Generators drop the sign: `name` and `-name` would be NAME and NAME2.
			'x-enum-varnames': (values['enum'] as readonly string[]).map(constantName),
			description: 'Field to sort by; - for descending.',
		};
		this.#derive(name, schema);
		return { $ref: componentOf('schemas', name) };
	}

	/** @throws TypeError if another schema has the name: a further route must not change the component of others */
	#derive(name: string, schema: Schema): void {
		if (JSON.stringify(this.derived[name] ?? schema) !== JSON.stringify(schema))
			throw new TypeError(`Two schemas are called ${name}.`);
		this.derived[name] = schema;
	}
}

function withoutDefault({ default: value, ...own }: Schema): Schema {
	if (value === undefined) return own;
	const description = own['description'] === undefined ? '' : `${String(own['description'])} `;
	return { ...own, description: `${description}\`${JSON.stringify(value)}\` if absent.` };
}

/** `-birthYear` → `BIRTH_YEAR_DESCENDING` */
function constantName(value: string): string {
	const [field = ''] = value.match(/\w+/) ?? [];
	const name = field.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
	return value.startsWith('-') ? `${name}_DESCENDING` : name;
}

interface Envelope {
	readonly id: string;
	readonly schema: z.ZodType;
	/** What the name of an envelope has after that of its data. */
	readonly suffix: string;
}

const anyData = z.unknown().describe('Data of the operation.');

const success: Envelope = {
	id: 'Success',
	schema: envelopeOf(anyData).describe('Envelope of every success.'),
	// Not Response: generators name the result of an operation after it, `SettingsResponse` of the operation `settings`.
	suffix: 'Envelope',
};

/** The envelope of data that report something as unavailable. */
const unavailable: Envelope = {
	id: 'Unavailable',
	schema: envelopeOf(anyData, 'Not available')
		.extend({ success: z.literal(false).describe('False: not usable now.') })
		.describe('Envelope of the data of an operation with the status 503.'),
	suffix: 'Unavailable',
};

interface Referring extends Schema {
	readonly allOf?: readonly { readonly $ref?: string }[];
}

const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);

/** A schema with its type first and its texts last; anything else, such as an example, unchanged. */
function inOrder<Part>(part: Part): Part {
	const { type, format, nullable, enum: values, description, example, ...rules } = Object(part) as Schema;
	if (!types.has(type)) return part;
	const ordered = {
		type,
		format: format ?? widthOf(type, rules),
		nullable,
		enum: nullable === true ? withNull(values) : values,
		...rules,
		description,
		example,
	};
	return Object.fromEntries(Object.entries(ordered).filter(([, value]) => value !== undefined)) as Part;
}

/** In OpenAPI 3.0.3 `nullable` adds no null to an enumeration. */
function withNull(values: unknown): unknown {
	return Array.isArray(values) && !values.includes(null) ? [...values, null] : values;
}

const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** The format of a number: without one, generators for Go use 32-bit floats, those for Java and Kotlin 32-bit integers. */
function widthOf(type: unknown, { minimum, maximum }: Schema): string | undefined {
	if (type === 'number') return 'double';
	if (type !== 'integer') return undefined;
	return Number(minimum) >= int32.min && Number(maximum) <= int32.max ? undefined : 'int64';
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** 1. Metadata with a type describe the input, 2. as does a default. 3. A format has no pattern, exact integers no bounds. */
function adapt(schema: z.core.$ZodType, json: Record<string, unknown>): void {
	const { id: _id, ...meta } = z.globalRegistry.get(schema) ?? {};
	if (meta['type'] !== undefined) {
		for (const key of Object.keys(json)) delete json[key];
		Object.assign(json, meta); // 1
	}
	if (schema instanceof z.ZodDefault && !hasOwnType(schema)) json['default'] = schema.def.defaultValue; // 2
	if (json['format'] !== undefined && meta['pattern'] === undefined) delete json['pattern']; // 3
	if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
	if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
	delete json['readOnly'];
}

function hasOwnType(schema: z.core.$ZodType): boolean {
	if (z.globalRegistry.get(schema)?.['type'] !== undefined) return true;
	return 'innerType' in schema._zod.def && hasOwnType(schema._zod.def.innerType as z.core.$ZodType);
}
