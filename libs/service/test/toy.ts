import { isoDate, line, version } from '@paddock/service';
import { z } from 'zod';

export const toy = z
	.strictObject({ id: z.string(), name: z.string(), version })
	.meta({ id: 'Toy', example: { id: 'a', name: 'Rocking horse', version: 1 } });

export const toyBody = z
	.strictObject({
		name: line(2, 20),
		size: z.int().min(1).max(10),
		bought: isoDate.optional(),
		owner: z.strictObject({ email: z.email(), since: isoDate }).optional(),
		parts: z
			.array(z.strictObject({ code: line(1, 5), weight: z.number() }))
			.max(3)
			.optional(),
		material: z.union([z.null(), z.strictObject({ wood: line(1, 20) })]).optional(),
		colour: z
			.discriminatedUnion('kind', [
				z.strictObject({ kind: z.literal('plain'), name: line(1, 20) }),
				z.strictObject({ kind: z.literal('mixed'), shares: z.array(z.int()).min(2) }),
			])
			.optional(),
	})
	.meta({ id: 'ToyBody', example: { name: 'Rocking horse', size: 3 } });
