import { z } from 'zod';
import { id } from './schemas.ts';

const idsMax = 50;
/** Length of the UUIDs with their commas. */
const idsCharsMax = idsMax * 37;

/** `?ids=<uuid>,<uuid>…` of a route by which other contexts look up records, see `createLookUp` of libs/peers. */
export const lookupQuery = z.strictObject({
	ids: z
		.string()
		.max(idsCharsMax, `must name at most ${idsMax}`)
		.transform((text) => [...new Set(text.split(','))])
		.pipe(z.array(id).min(1).max(idsMax, `must name at most ${idsMax}`))
		.meta({ type: 'string', description: 'UUIDs, separated by commas.' }),
});
