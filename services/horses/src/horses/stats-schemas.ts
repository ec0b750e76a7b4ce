import { count, countsBy } from '@paddock/service';
import { z } from 'zod';
import { horseStatus, sex } from './words.ts';

export const breedsShown = 20;

export const horseStats = z
	.strictObject({
		total: count.describe(
			'Horses that are not removed; the other numbers, too, leave out removed horses, except `byStatus`.',
		),
		byStatus: countsBy('HorseStatusCount', 'status', horseStatus).describe(
			'By status, removed horses included.',
		),
		bySex: countsBy('HorseSexCount', 'sex', sex).describe('By sex.'),
		ponies: count.describe('Ponies.'),
		byBreed: countsBy('BreedCount', 'breed', z.string().describe('Name of the breed.')).describe(
			`The ${breedsShown} most frequent breeds, the most frequent first.`,
		),
		byBirthYear: countsBy('BirthYearCount', 'birthYear', z.int().describe('Year of birth.')).describe(
			'The latest year first.',
		),
		registeredThisYear: count.describe('Registered since 1 January, in Austria.'),
	})
	.meta({
		id: 'HorseStats',
		description: 'Numbers of the registry.',
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
