import { horseBody } from '../../services/horses/src/horses/body-schemas.ts';
import { writtenColumns } from '../../services/horses/src/horses/store.ts';
import { migrations } from '../../services/horses/src/migrations.ts';
import { copyRows, fillDatabase } from './copy-rows.ts';
import { inventedHorse } from './invented-names.ts';
import { choicesFor, inventedId } from './random-choice.ts';
import type { RegistrySize } from './registry-size.ts';

/** The fields that are not invented have their defaults. */
const empty = horseBody.parse({ name: 'x', sex: 'MARE', birthYear: 2000 });

/** Generations from the founders to the youngest, four years apart. */
const generations = 7;
const generationYears = 4;
const now = new Date();
const dayMs = 86_400_000;

type Breed = readonly [name: string, isPony: boolean];
const breeds: [Breed, ...Breed[]] = [
	['Österreichisches Warmblut', false],
	['Hannoveraner', false],
	['Holsteiner', false],
	['Oldenburger', false],
	['KWPN', false],
	['Haflinger', true],
	['Noriker', false],
	['Deutsches Reitpony', true],
	['Lipizzaner', false],
	['Islandpferd', true],
	['Quarter Horse', false],
	['Trakehner', false],
	['Connemara', true],
	['Araber', false],
	['Welsh B', true],
	['Shagya-Araber', false],
	['Huzule', true],
	['Friese', false],
];

/** The horse of that index as others refer to it. */
export function inventedHorseOf(index: number) {
	const random = choicesFor('horse', index);
	return { id: inventedId('horse', index), name: inventedHorse(random), random };
}

export function microchipOf(index: number): string {
	return `9880400${String(index).padStart(8, '0')}`;
}

/** Fills a new database with seven generations of horses, their owners and transfers that wait or have ended. */
export async function seedHorses(url: string, size: RegistrySize): Promise<void> {
	const each = Math.ceil(size.horses / generations);
	await fillDatabase(url, migrations, async (client) => {
		// Parents come before their foals, whose references are checked row by row.
		await copyRows(client, 'horses', size.horses, (index) => horseOf(index, each, size));
		await copyRows(client, 'ownership_periods', size.horses, (index) =>
			periodsOf(index).map(({ id, horseId, validFrom }) => ({ id, horseId, validFrom })),
		);
		await copyRows(client, 'ownership_shares', size.horses, (index) =>
			periodsOf(index).flatMap(({ id }, at) => sharesOf(id, index + at, size)),
		);
		await copyRows(client, 'ownership_transfers', size.transfers, (index) => transferOf(index, size));
		await copyRows(client, 'ownership_confirmations', size.transfers, (index) => ({
			transferId: inventedId('transfer', index),
			memberId: inventedId('member', (index * 7) % size.members),
			confirmedAt: null,
		}));
	});
}

/** Each third horse had an owner before. */
function periodsOf(index: number) {
	const years = index % 3 === 0 ? [2015, 2021] : [2018];
	return years.map((year, at) => ({
		id: inventedId('period', index * 2 + at),
		horseId: inventedId('horse', index),
		validFrom: `${year}-0${1 + (index % 9)}-01`,
	}));
}

function sharesOf(periodId: string, index: number, { members }: RegistrySize) {
	const owners = index % 20 === 0 ? [index % members, (index + 1) % members] : [index % members];
	return owners.map((owner, position) => ({
		periodId,
		position,
		memberId: inventedId('member', owner),
		partyName: null,
		partyCountryCode: null,
		shareHundredths: owners.length === 1 ? null : 5_000,
	}));
}

function transferOf(index: number, { members, horses, transfers }: RegistrySize) {
	const horse = index * Math.min(3, Math.floor(horses / transfers));
	const status =
		['PENDING', 'COMPLETED', 'COMPLETED', 'COMPLETED', 'DECLINED', 'EXPIRED'][index % 6] ?? 'PENDING';
	const createdAt = new Date(now.getTime() - (index % 2_000) * dayMs);
	return {
		id: inventedId('transfer', index),
		horseId: inventedId('horse', horse),
		validFrom: createdAt.toISOString().slice(0, 10),
		owners: JSON.stringify([{ memberId: inventedId('member', (index * 11) % members), share: null }]),
		status,
		requestedBy: inventedId('user', index),
		requestedByMemberId: inventedId('member', (index * 7) % members),
		expiresAt: new Date(createdAt.getTime() + 30 * dayMs),
		endedAt: status === 'PENDING' ? null : new Date(createdAt.getTime() + dayMs),
		endedByMemberId: null,
		createdAt,
		updatedAt: createdAt,
	};
}

function horseOf(index: number, each: number, { members, clubs }: RegistrySize) {
	const { id, name, random } = inventedHorseOf(index);
	const generation = Math.floor(index / each);
	const parent = (parity: 0 | 1) => {
		if (generation === 0) return null;
		return inventedId('horse', (generation - 1) * each + 2 * random.integer(Math.floor(each / 2)) + parity);
	};
	const [breed, isPony] = random.skewed(breeds);
	// Even indexes are stallions, odd ones mares; half of the youngest are geldings.
	const parents = { sireId: parent(0), damId: parent(1) };
	const isGelding = generation === generations - 1 && random.integer(2) === 0;
	const sex = isGelding ? 'GELDING' : index % 2 === 0 ? 'STALLION' : 'MARE';
	const body = {
		...empty,
		name,
		sex,
		dateOfBirth: null,
		birthYear:
			now.getUTCFullYear() - (generations - generation) * generationYears + random.integer(generationYears),
		breed: random.integer(50) === 0 ? null : breed,
		colour: 'Fuchs',
		heightCm: isPony ? 140 : 166,
		isPony,
		countryOfBirth: 'AT',
		microchip: microchipOf(index),
		federationHorseNumber: index % 3 === 0 && index < 2_000_000 ? String(100_000 + index / 3) : null,
		headNumber: null,
		feiId: null,
		...parents,
		responsibleMemberId: inventedId('member', index % members),
		clubId: inventedId('club', index % clubs),
		feePaidForYear: now.getUTCFullYear() - random.skewed([0, 0, 0, 1, 2, 5]),
	} as const;
	const createdAt = new Date(now.getTime() - random.integer(3_650) * dayMs - random.integer(dayMs));
	const status = random.skewed([
		'ACTIVE',
		'ACTIVE',
		'ACTIVE',
		'ACTIVE',
		'ACTIVE',
		'RETIRED',
		'LAPSED',
		'SUSPENDED',
		'DECEASED',
		'INACTIVE',
	]);
	return {
		...writtenColumns(body),
		id,
		registeredOn: createdAt.toISOString().slice(0, 10),
		status,
		removedStatus: status === 'INACTIVE' ? 'ACTIVE' : null,
		dateOfDeath: status === 'DECEASED' ? createdAt.toISOString().slice(0, 10) : null,
		createdAt,
		updatedAt: new Date(createdAt.getTime() + random.integer(now.getTime() - createdAt.getTime() + 1)),
	};
}
