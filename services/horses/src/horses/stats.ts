import { dayInVienna, yearOf } from '@paddock/calendar';
import { type Database, statistics } from '@paddock/database';
import { count, countedAt, countList, countsBy } from '@paddock/service';
import { sql } from 'kysely';
import { z } from 'zod';
import type { HorsesQueryable, HorsesSchema } from '../database-schema.ts';
import { horseStatus, sex } from './words.ts';

const breedsShown = 20;

export const horseStats = z
	.strictObject({
		total: count.describe(
			'Horses that are not deleted; the other numbers, too, leave out deleted horses, except `byStatus`.',
		),
		byStatus: countsBy('HorseStatusCount', 'status', horseStatus).describe(
			'By status, deleted horses included.',
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
		countedAt,
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
			countedAt: '2026-03-01T12:00:00.000Z',
		},
	});

export type HorseStats = z.output<typeof horseStats>;

const rows = sql<number>`count(*)`;

export async function countHorses(db: Database<HorsesSchema>, now: Date): Promise<HorseStats> {
	const today = dayInVienna(now);
	const { numbers, countedAt } = await statistics(db, { key: 'all', table: 'horses', now }, (transaction) =>
		getHorseStats(transaction, today),
	);
	return { ...numbers, countedAt: countedAt.toISOString() };
}

/** Reads all counts in one snapshot, so that they are consistent. */
async function getHorseStats(db: HorsesQueryable, today: string): Promise<Omit<HorseStats, 'countedAt'>> {
	const groups = await db
		.selectFrom('horses')
		.select(['status', 'sex', 'isPony', rows.as('horses')])
		.select(
			sql<number>`count(*) filter (where registered_on >= make_date(${yearOf(today)}, 1, 1))`.as(
				'registeredThisYear',
			),
		)
		.groupBy(['status', 'sex', 'isPony'])
		.execute();
	const kept = groups.filter(({ status }) => status !== 'INACTIVE');
	return {
		total: sumOf(kept),
		byStatus: countList('status', horseStatus.options, (status) =>
			sumOf(groups.filter((group) => group.status === status)),
		),
		bySex: countList('sex', sex.options, (each) => sumOf(kept.filter((group) => group.sex === each))),
		ponies: sumOf(kept.filter((group) => group.isPony)),
		byBreed: await listBreeds(db),
		byBirthYear: await listBirthYears(db),
		registeredThisYear: kept.reduce((total, group) => total + group.registeredThisYear, 0),
	};
}

function sumOf(groups: readonly { readonly horses: number }[]): number {
	return groups.reduce((total, { horses }) => total + horses, 0);
}

/** Each breed in its most frequent spelling. Spellings are counted first: `mode()` would sort every horse. */
function listBreeds(db: HorsesQueryable): Promise<HorseStats['byBreed']> {
	return db
		.with('spelling', (cte) =>
			cte
				.selectFrom('horses')
				.select(['breedKey', 'breed', rows.as('horses')])
				.where('status', '<>', 'INACTIVE')
				.where('breedKey', 'is not', null)
				.groupBy(['breedKey', 'breed']),
		)
		.selectFrom('spelling')
		.select(sql<string>`(array_agg(breed order by horses desc, breed))[1]`.as('breed'))
		.select(sql<number>`sum(horses)::bigint`.as('count'))
		.groupBy('breedKey')
		.orderBy('count', 'desc')
		.orderBy('breedKey')
		.limit(breedsShown)
		.execute();
}

function listBirthYears(db: HorsesQueryable): Promise<HorseStats['byBirthYear']> {
	return db
		.selectFrom('horses')
		.select(['birthYear as birthYear', rows.as('count')])
		.where('status', '<>', 'INACTIVE')
		.groupBy('birthYear')
		.orderBy('birthYear', 'desc')
		.execute();
}
