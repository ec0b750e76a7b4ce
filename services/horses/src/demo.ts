import type { SeedSet } from '@paddock/database';
import { type DemoHorse, demoHorses, demoMembers } from '@paddock/demo';
import { sql } from 'kysely';
import type { HorsesQueryable, HorsesSchema, NewHorseRow } from './database-schema.ts';
import { horseBody, type OfficeValues, type WrittenHorse } from './horses/body-schemas.ts';
import { writtenColumns } from './horses/store.ts';
import type { HorseStatus } from './horses/words.ts';
import type { OwnershipPeriod } from './ownership/schemas.ts';
import { insertPeriod } from './ownership/store.ts';

/** Seeded once if DEMO=on. The seed mark remains after their removal, so that they are not seeded again. */
export function demoHorseSet(now: () => Date): SeedSet<HorsesSchema> {
	return {
		name: 'demo-horses-1',
		insert: async (db) => {
			for (const record of demoRecords(now())) {
				await db.insertInto('horses').values(rowOf(record, now())).execute();
				for (const period of record.periods) await insertPeriod(db, record.id, period);
			}
		},
	};
}

function rowOf({ id, body, registeredOn, status, dateOfDeath }: DemoRecord, now: Date): NewHorseRow {
	return {
		...writtenColumns(body),
		id,
		registeredOn,
		status,
		dateOfDeath,
		isDemo: true,
		createdAt: now,
		updatedAt: now,
	};
}

/** With later changes; other horses keep the name of a removed parent. Resolves with the number of removed horses. */
export async function removeDemo(db: HorsesQueryable): Promise<number> {
	await sql`
		update horses set sire_id = null, sire_name = parent.name, version = horses.version + 1
		from horses as parent
		where parent.id = horses.sire_id and parent.is_demo and not horses.is_demo`.execute(db);
	await sql`
		update horses set dam_id = null, dam_name = parent.name, version = horses.version + 1,
			dam_sire_name = coalesce(
				(select name from horses as grandsire where grandsire.id = parent.sire_id),
				parent.sire_name, horses.dam_sire_name)
		from horses as parent
		where parent.id = horses.dam_id and parent.is_demo and not horses.is_demo`.execute(db);
	const removed = await db.deleteFrom('horses').where('isDemo', '=', true).returning('id').execute();
	return removed.length;
}

export interface DemoRecord {
	readonly id: string;
	readonly body: WrittenHorse;
	readonly registeredOn: string;
	readonly status: HorseStatus;
	readonly dateOfDeath: string | null;
	readonly periods: readonly Pick<OwnershipPeriod, 'from' | 'owners'>[];
}

type Name = keyof typeof demoHorses;

interface Extra {
	readonly birthday: string;
	readonly breed: string;
	readonly colour: string;
	readonly sire?: Name;
	readonly dam?: Name;
	readonly damName?: string;
	readonly damSireName?: string;
	readonly unpaidYears?: number;
	readonly status?: HorseStatus;
	readonly shares?: readonly number[];
	/** The owner up to a year ago. */
	readonly formerOwnerId?: string;
	readonly feiId?: string;
}

const warmblood = { breed: 'Österreichisches Warmblut' } as const;
const family = { ...warmblood, sire: 'sire', dam: 'dam' } as const;

const extras: Readonly<Record<Name, Extra>> = {
	grandsire: { ...warmblood, birthday: '04-02', colour: 'Rappe', damName: 'Herbstzeit', status: 'RETIRED' },
	granddam: { ...warmblood, birthday: '03-17', colour: 'Fuchs', damName: 'Sonnenuhr', status: 'RETIRED' },
	sire: {
		...warmblood,
		birthday: '05-09',
		colour: 'Dunkelbraun',
		sire: 'grandsire',
		dam: 'granddam',
		feiId: '999ZZ01',
	},
	dam: {
		...warmblood,
		birthday: '04-28',
		colour: 'Schimmel',
		damName: 'Fliedertraum',
		damSireName: 'Wintergast',
	},
	gelding: { ...family, birthday: '05-20', colour: 'Braun', feiId: '999ZZ02' },
	shared: { ...warmblood, birthday: '04-29', colour: 'Fuchs', damName: 'Lärchenduft', shares: [60, 40] },
	transferred: {
		breed: 'Hannoveraner',
		birthday: '06-01',
		colour: 'Braun',
		damName: 'Kieselgur',
		formerOwnerId: demoMembers.david.id,
	},
	pony: { breed: 'Welsh', birthday: '05-05', colour: 'Schimmel', damName: 'Wolke' },
	secondPony: { breed: 'Shetlandpony', birthday: '04-11', colour: 'Falbe', damName: 'Nuss', unpaidYears: 1 },
	four: { ...family, birthday: '03-30', colour: 'Rappe' },
	five: { ...family, birthday: '05-01', colour: 'Schimmel' },
	three: { ...warmblood, birthday: '06-12', colour: 'Fuchs', sire: 'sire', damName: 'Ahornlaub' },
	retired: { breed: 'Haflinger', birthday: '04-14', colour: 'Fuchs', unpaidYears: 4, status: 'RETIRED' },
	deceased: {
		breed: 'Trakehner',
		birthday: '05-25',
		colour: 'Braun',
		damName: 'Andenken',
		status: 'DECEASED',
	},
};

/** Parents come before their foals. Birth years follow from the ages that the other contexts use. */
function demoRecords(now: Date): readonly DemoRecord[] {
	const names = Object.keys(demoHorses) as Name[];
	return names
		.toSorted((a, b) => demoHorses[b].age - demoHorses[a].age)
		.map((name) => recordOf(demoHorses[name], extras[name], now.getUTCFullYear()));
}

function recordOf(horse: DemoHorse, extra: Extra, year: number): DemoRecord {
	const birthYear = year - horse.age;
	const registeredOn = `${birthYear + 1}-07-01`;
	const { formerOwnerId } = extra;
	const owners = horse.ownerMemberIds.map((memberId, index) =>
		ownerOf(memberId, extra.shares?.[index] ?? null),
	);
	const periods =
		formerOwnerId === undefined
			? [{ from: registeredOn, owners }]
			: [
					{ from: registeredOn, owners: [ownerOf(formerOwnerId, null)] },
					{ from: `${year - 1}-06-01`, owners },
				];
	return {
		id: horse.id,
		body: bodyOf(horse, extra, year),
		registeredOn,
		status: extra.status ?? 'ACTIVE',
		dateOfDeath: extra.status === 'DECEASED' ? `${year - 1}-11-03` : null,
		periods,
	};
}

function ownerOf(memberId: string, sharePercent: number | null) {
	return { memberId, externalParty: null, sharePercent };
}

function bodyOf(horse: DemoHorse, extra: Extra, year: number): WrittenHorse {
	const running = horse.headNumber.slice(1).padStart(9, '0');
	const birthYear = year - horse.age;
	const numbers: OfficeValues = {
		federationHorseNumber: `9${running}`,
		headNumber: horse.headNumber,
		feiId: extra.feiId ?? null,
		feePaidForYear: year - (extra.unpaidYears ?? 0),
	};
	const body = horseBody.parse({
		...numbers,
		name: horse.name,
		sex: horse.sex,
		dateOfBirth: `${birthYear}-${extra.birthday}`,
		breed: extra.breed,
		studbook: 'Demo',
		colour: extra.colour,
		heightCm: horse.heightCm,
		isPony: horse.isPony,
		countryOfBirth: 'AT',
		ueln: `040DEM${running}`,
		microchip: `999040${running}`,
		...(extra.sire === undefined ? { sireName: horse.sireName } : { sireId: demoHorses[extra.sire].id }),
		...(extra.dam === undefined
			? { damName: extra.damName ?? null, damSireName: extra.damSireName ?? null }
			: { damId: demoHorses[extra.dam].id }),
		breederName: 'Gestüt Musterfeld',
		responsibleMemberId: horse.ownerMemberIds[0],
		clubId: horse.clubId,
	});
	return { ...body, birthYear, ...numbers };
}
