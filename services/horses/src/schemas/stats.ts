import { count, countsBy } from '@paddock/service';
import { z } from 'zod';
import { horseStatuses } from '../horse-status.ts';
import { sexes } from '../parent-rules.ts';

export const breedsShown = 20;

/** Statistics of the registry. */
export const horseStats = z
	.strictObject({
		total: count.describe('All but the removed ones; so are the numbers below, save byStatus.'),
		byStatus: countsBy('HorseStatusCount', 'status', z.enum(horseStatuses)),
		bySex: countsBy('HorseSexCount', 'sex', z.enum(sexes)),
		ponies: count,
		byBreed: countsBy('BreedCount', 'breed', z.string()).describe(
			`The ${breedsShown} most frequent breeds, the most frequent first.`,
		),
		byBirthYear: countsBy('BirthYearCount', 'birthYear', z.int()).describe('The latest year first.'),
		registeredThisYear: count,
	})
	.meta({
		id: 'HorseStats',
		example: {
			total: 3,
			byStatus: [
				{ status: 'ACTIVE', count: 2 },
				{ status: 'RETIRED', count: 1 },
				{ status: 'INACTIVE', count: 1 },
			],
			bySex: [
				{ sex: 'MARE', count: 2 },
				{ sex: 'GELDING', count: 1 },
			],
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
