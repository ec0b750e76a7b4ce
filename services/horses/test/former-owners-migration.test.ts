import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, migrateToLatest } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, migratedTemplate, openTestPool, type TestDatabase } from '@paddock/testing';
import type { HorsesSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { insertPeriod } from '../src/ownership/store.ts';

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0009'));
const day = new Date('2026-01-01T10:00:00Z');
let database: TestDatabase;
let db: Database<HorsesSchema>;
let microchips = 0;

beforeAll(async () => {
	database = await createTestDatabase(migratedTemplate('horses_before_0009', before));
	db = openTestPool<HorsesSchema>(database.url);
});
afterAll(async () => {
	await db.destroy();
	await database.drop();
});

type Periods = readonly (readonly (string | null)[])[];

/** A horse with a period for each list of owners, last written before transfers ended the sellers' rights. */
const horse = (responsible: string | null, ...periods: Periods) => horseOf(day, responsible, periods);

async function horseOf(updatedAt: Date, responsible: string | null, periods: Periods) {
	const { id } = await db
		.insertInto('horses')
		.values({
			name: 'Alt',
			sex: 'MARE',
			birthYear: 2010,
			microchip: `999${String(microchips++).padStart(12, '0')}`,
			isPony: false,
			responsibleMemberId: responsible,
			clubId: randomUUID(),
			registeredOn: '2020-01-01',
			status: 'ACTIVE',
			nameText: '\nalt',
			numberText: '',
			createdAt: day,
			updatedAt,
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	for (const [index, owners] of periods.entries())
		await insertPeriod(db, id, {
			from: `202${index}-01-01`,
			owners: owners.map((memberId) => ({
				memberId,
				externalParty: memberId === null ? { name: 'Fern', countryCode: 'DE' } : null,
				sharePercent: null,
			})),
		});
	return id;
}

// The migration of earlier sellers cleared the club only where the seller was the responsible person.
test('former sellers and their clubs lose their rights; others keep theirs', async () => {
	const [seller, buyer, other] = [randomUUID(), randomUUID(), randomUUID()];
	const cases = {
		sold: await horse(seller, [seller], [null, buyer]),
		soldTwice: await horse(seller, [seller], [other], [buyer]),
		soldAbroad: await horse(seller, [seller], [null]),
		boughtBack: await horse(seller, [seller], [other], [seller]),
		shareSold: await horse(seller, [seller], [seller, buyer]),
		rider: await horse(other, [seller], [buyer]),
		unsold: await horse(seller, [seller]),
		removed: await horse(null, [seller], [buyer]),
		oneSold: await horse(other, [seller, buyer], [buyer]),
		abroadSold: await horse(other, [null], [buyer]),
		stayedAbroad: await horse(other, [null], [null, buyer]),
		writtenSince: await horseOf(new Date(), other, [[seller], [buyer]]),
	};
	await migrateToLatest(db, migrations, silentLogger());
	const after = async (id: string) => {
		const row = await db.selectFrom('horses').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
		return [row.responsibleMemberId, row.clubId !== null, row.version];
	};
	const results = await Promise.all(
		Object.entries(cases).map(async ([name, id]) => [name, await after(id)] as const),
	);
	expect(Object.fromEntries(results)).toEqual({
		sold: [buyer, false, 2],
		soldTwice: [buyer, false, 2],
		soldAbroad: [null, false, 2],
		boughtBack: [seller, false, 2],
		shareSold: [seller, true, 1],
		rider: [other, false, 2],
		unsold: [seller, true, 1],
		removed: [null, false, 2],
		oneSold: [other, false, 2],
		abroadSold: [other, false, 2],
		stayedAbroad: [other, true, 1],
		writtenSince: [other, true, 1],
	});
});
