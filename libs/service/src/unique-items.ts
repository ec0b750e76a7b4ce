import type { z } from 'zod';

/** An array whose items all differ, in the document too; `message` is the field error of one that repeats an item. */
export function uniqueItems<Item extends string>(schema: z.ZodArray<z.ZodType<Item>>, message: string) {
	return schema.refine((items) => new Set(items).size === items.length, message).meta({ uniqueItems: true });
}
