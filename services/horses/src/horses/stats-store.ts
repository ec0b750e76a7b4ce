import { yearOf } from '@paddock/calendar';
import { countList } from '@paddock/service';
import { sql } from 'kysely';
import type { HorsesQueryable } from '../database-schema.ts';
import { horseStatuses, sexes } from './enumerations.ts';
import { breedsShown, type HorseStats } from './stats-schemas.ts';

const count = sql<number>`count(*)`;

/** Reads all counts in one snapshot, so that they are consistent. */
export async function getHorseStats(db: HorsesQueryable, today: string): Promise<HorseStats> {
	const groups = await db
		.selectFrom('horses')
		.select(['status', 'sex', 'isPony', count.as('horses')])
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
		byStatus: countList('status', horseStatuses, (status) =>
			sumOf(groups.filter((group) => group.status === status)),
		),
		bySex: countList('sex', sexes, (sex) => sumOf(kept.filter((group) => group.sex === sex))),
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
				.select(['breedKey', 'breed', count.as('horses')])
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
		.select(['birthYear as birthYear', count.as('count')])
		.where('status', '<>', 'INACTIVE')
		.groupBy('birthYear')
		.orderBy('birthYear', 'desc')
		.execute();
}
