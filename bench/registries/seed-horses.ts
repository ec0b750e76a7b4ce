import { randomUUID } from 'node:crypto';
import { createDatabase, migrateToLatest } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { sql } from 'kysely';
import type { HorsesSchema, NewHorseRow } from '../../services/horses/src/database-schema.ts';
import { writtenColumns } from '../../services/horses/src/horses/store.ts';
import { migrations } from '../../services/horses/src/migrations.ts';
import { inventedHorse } from './invented-names.ts';
import { createRandomChoice, type RandomChoice } from './random-choice.ts';

const batchSize = 1_000;
/** Generations from the founders to the youngest, four years apart. */
const generations = 7;
const generationYears = 4;
const now = new Date();

export interface SeededHorses {
	/** The youngest generation, whose pedigrees reach back to the founders. */
	readonly youngestIds: readonly string[];
	readonly microchips: readonly string[];
}

type Horse = NewHorseRow & { readonly id: string; readonly microchip: string };

/** Fills a new database with seven generations of horses, each with an owner. */
export async function seedHorses(
	url: string,
	count: number,
	memberIds: readonly string[],
): Promise<SeededHorses> {
	const db = createDatabase<HorsesSchema>({
		url,
		applicationName: 'bench',
		logger: silentLogger(),
		statementTimeoutMs: 120_000,
	});
	try {
		await migrateToLatest(db, migrations, silentLogger());
		const random = createRandomChoice(2);
		const each = Math.ceil(count / generations);
		let parents: readonly Horse[] = [];
		const microchips: string[] = [];
		for (let generation = 0; generation < generations; generation += 1) {
			const size = Math.min(each, count - generation * each);
			const first = generation * each;
			const older = parents;
			const horses = Array.from({ length: size }, (_, index) =>
				horseOf(first + index, generation, older, memberIds, random),
			);
			for (let from = 0; from < size; from += batchSize) {
				const batch = horses.slice(from, from + batchSize);
				await db.insertInto('horses').values(batch).execute();
				const periods = batch.map(({ id }) => ({ id: randomUUID(), horseId: id, validFrom: '2020-01-01' }));
				await db.insertInto('ownershipPeriods').values(periods).execute();
				await db
					.insertInto('ownershipShares')
					.values(periods.map(shareOf(memberIds, random)))
					.execute();
			}
			microchips.push(...horses.map(({ microchip }) => microchip));
			parents = horses;
		}
		await sql`vacuum analyze`.execute(db);
		return { youngestIds: parents.map(({ id }) => id), microchips };
	} finally {
		await db.destroy();
	}
}

function shareOf(memberIds: readonly string[], random: RandomChoice) {
	return ({ id }: { readonly id: string }) => ({
		periodId: id,
		position: 0,
		memberId: memberIds[random.integer(memberIds.length)] ?? randomUUID(),
		partyName: null,
		partyCountryCode: null,
		shareHundredths: null,
	});
}

function horseOf(
	index: number,
	generation: number,
	parents: readonly Horse[],
	memberIds: readonly string[],
	random: RandomChoice,
): Horse {
	// Even indexes are stallions, odd ones mares.
	const parent = (parity: 0 | 1) =>
		parents[2 * random.integer(Math.floor(parents.length / 2)) + parity]?.id ?? null;
	const microchip = `9990400${String(index).padStart(8, '0')}`;
	const body = {
		name: inventedHorse(random),
		sex: index % 2 === 0 ? 'STALLION' : 'MARE',
		dateOfBirth: null,
		birthYear: now.getUTCFullYear() - (generations - generation) * generationYears,
		breed: 'Österreichisches Warmblut',
		studbook: null,
		colour: 'Fuchs',
		heightCm: 166,
		isPony: false,
		countryOfBirth: 'AT',
		ueln: null,
		microchip,
		federationHorseNumber: null,
		headNumber: null,
		feiId: null,
		passportNumber: null,
		passportIssuer: null,
		sireId: parent(0),
		sireName: null,
		damId: parent(1),
		damName: null,
		damSireName: null,
		breederName: null,
		responsibleMemberId: memberIds[index % memberIds.length] ?? null,
		clubId: null,
		feePaidForYear: now.getUTCFullYear(),
		notes: null,
	} as const;
	return {
		...writtenColumns(body),
		id: randomUUID(),
		microchip,
		registeredOn: '2020-01-01',
		status: 'ACTIVE',
		createdAt: now,
		updatedAt: now,
	};
}
