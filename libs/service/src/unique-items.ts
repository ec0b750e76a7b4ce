import type { z } from 'zod';

/** An array of unique items, also in the OpenAPI document; `message` is the field error for a repeated item. */
export function uniqueItems<Item extends string>(schema: z.ZodArray<z.ZodType<Item>>, message: string) {
	return schema.refine((items) => new Set(items).size === items.length, message).meta({ uniqueItems: true });
}
