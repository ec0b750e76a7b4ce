import { z } from 'zod';
import { isWrapper } from './schemas.ts';

const valuesMax = 50;
/** Marks the values of a parameter as separated by commas, as in OpenAPI. */
const separated = { explode: false };

/**
 * A filter of one or more values, `status=ACTIVE,SUSPENDED` or the parameter repeated; records with any of them match.
 * `componentName`: in the OpenAPI document, if another parameter has the name.
 */
export function filterValues<Value extends z.ZodType<string>>(value: Value, componentName?: string) {
	const param = { ...separated, ...(componentName === undefined ? {} : { componentName }) };
	return z.array(value).min(1).max(valuesMax).meta({ param });
}

/** Whether the values of a query parameter are separated by commas. */
export function isSeparated(schema: z.ZodType): boolean {
	if (schema instanceof z.ZodArray)
		return Reflect.get(Object(z.globalRegistry.get(schema)?.['param']), 'explode') === separated.explode;
	return isWrapper(schema) && isSeparated(schema.unwrap() as z.ZodType);
}
