import type { Schema } from '../openapi-document.ts';

const formats: Readonly<Record<string, string>> = {
	uuid: '6f1c7c52-4f0a-4a57-9d4c-0e6a2b9d8c04',
	'date-time': '2026-03-01T08:15:00.000Z',
	date: '2026-03-01',
	uri: 'https://example.org',
	email: 'anna.huber@example.org',
};

const refPrefix = '#/components/schemas/';

/** An example of a schema, or one built from its parts, always the same. @throws TypeError if a reference cannot be resolved */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
	if (schema.example !== undefined) return schema.example;
	if (schema.$ref !== undefined) return exampleOf(referredTo(schema.$ref, schemas), schemas);
	if (schema.enum !== undefined) return schema.enum[0];
	if (schema.default !== undefined) return schema.default;
	const choice = schema.anyOf?.[0];
	if (choice !== undefined) return exampleOf(choice, schemas);
	const [first, ...others] = schema.allOf ?? [];
	if (first !== undefined && others.length === 0) return exampleOf(first, schemas);
	if (schema.allOf !== undefined)
		return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas)));
	if (schema.type === 'object' || schema.properties !== undefined) return exampleObject(schema, schemas);
	if (schema.type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items, schemas)];
	return exampleValue(schema);
}

function exampleObject(schema: Schema, schemas: Readonly<Record<string, Schema>>): Record<string, unknown> {
	const properties = Object.entries(schema.properties ?? {});
	return Object.fromEntries(properties.map(([name, part]) => [name, exampleOf(part, schemas)]));
}

function exampleValue({ type, format, minimum, minLength }: Schema): unknown {
	if (type === 'boolean') return true;
	if (type === 'integer' || type === 'number') return Math.max(minimum ?? 1, 1);
	if (format !== undefined && formats[format] !== undefined) return formats[format];
	return 'text'.padEnd(minLength ?? 0, '.');
}

function referredTo(reference: string, schemas: Readonly<Record<string, Schema>>): Schema {
	const schema = schemas[reference.slice(refPrefix.length)];
	if (schema === undefined) throw new TypeError(`${reference} can't be resolved.`);
	return schema;
}
