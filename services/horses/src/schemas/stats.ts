import { z } from 'zod';
import { horseStatuses } from '../horse-status.ts';
import { sexes } from '../parent-rules.ts';

export const breedsShown = 20;

const count = z.int().min(0);

function countsOf<const Name extends string>(names: readonly [Name, ...Name[]]) {
	const shape = Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>;
	return z.strictObject(shape);
}

/** Statistics of the registry. */
export const horseStats = z
	.strictObject({
		total: count.describe('All but the removed ones; so are the numbers below, save byStatus.'),
		byStatus: countsOf(horseStatuses),
		bySex: countsOf(sexes),
		ponies: count,
		byBreed: z
			.array(z.strictObject({ breed: z.string(), count }))
			.describe(`The ${breedsShown} most frequent ones.`),
		byBirthYear: z.array(z.strictObject({ birthYear: z.int(), count })).describe('The youngest first.'),
		registeredThisYear: count,
	})
	.meta({
		id: 'HorseStats',
		example: {
			total: 3,
			byStatus: { ACTIVE: 2, SUSPENDED: 0, RETIRED: 1, LAPSED: 0, DECEASED: 0, INACTIVE: 1 },
			bySex: { STALLION: 0, MARE: 2, GELDING: 1 },
			ponies: 1,
			byBreed: [{ breed: 'Haflinger', count: 2 }],
			byBirthYear: [
				{ birthYear: 2018, count: 2 },
				{ birthYear: 2003, count: 1 },
			],
			registeredThisYear: 1,
		},
	});

export type HorseStats = z.output<typeof horseStats>;
