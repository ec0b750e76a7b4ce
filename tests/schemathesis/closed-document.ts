import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { closedSchema, type Schemas } from '../../libs/testing/src/closed-schema.ts';

// Copies openapi.yaml with closed schemas, so that Schemathesis notices undeclared properties in responses.
const [source = '', target = ''] = process.argv.slice(2);
const { components, ...document } = parse(readFileSync(source, 'utf8')) as {
	components: { schemas: Schemas };
};
const schemas = Object.fromEntries(
	Object.entries(components.schemas).map(([name, schema]) => [
		name,
		closedSchema(schema, components.schemas),
	]),
);
const text = JSON.stringify({ ...document, components: { ...components, schemas } });
// openapi.yaml can't state decimals: for a validator with binary fractions 33.33 is no multiple of 0.01.
writeFileSync(target, text.replaceAll('"x-decimals":2', '"multipleOf":0.01'));
