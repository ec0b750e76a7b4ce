import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, migrateToLatest } from '@paddock/database';
import { type Logger, silentLogger } from '@paddock/telemetry';
import { createTestDatabase, migratedTemplate, openTestPool, type TestDatabase } from '@paddock/testing';
import type { EventsSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { setStage } from './stage.ts';

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0015'));
let database: TestDatabase;
let db: Database<EventsSchema>;

beforeAll(async () => {
	database = await createTestDatabase(migratedTemplate('events_before_0015', before));
	db = openTestPool<EventsSchema>(database.url);
});
afterAll(async () => {
	await db.destroy();
	await database.drop();
});

test('levels are read, unclear ones stay and are reported, and derived ages follow the rules', async () => {
	const stage = setStage({ db, peers: { members: new Map(), horses: new Map() } });
	const eventId = await stage.event();
	const rows = [
		['DRESSAGE', 'LM5', 'Dressurprüfung', 6],
		['DRESSAGE', 'S', 'Dressurprüfung S', 6],
		['JUMPING', 'L 115', 'Springprüfung', 5],
		['JUMPING', 'LM', 'Standardspringprüfung 130 cm', 6],
		['JUMPING', 'LM', 'Standardspringprüfung', 7],
		['JUMPING', 'A', 'Standardspringprüfung 95 cm', 4],
		['JUMPING', 'QUATSCH', 'Springen', 6],
		['EVENTING', 'V105', 'Vielseitigkeit', 5],
		['ENDURANCE', 'M', 'Distanzritt 40 km', 6],
		['ENDURANCE', 'M', 'Distanzritt 80.00 km', 6],
		['ENDURANCE', 'M', 'Distanzritt 0,00 km', 6],
		['JUMPING', 'A 140', 'Springen', 4],
		['JUMPING', 'L 1150', 'Springen', 5],
	] as const;
	for (const [index, [discipline, level, name, horseMinAge]] of rows.entries())
		await stage.competition(eventId, { number: index + 1, discipline, level, name, horseMinAge });
	const warnings: { competition: number }[] = [];
	const logger: Logger = Object.create(silentLogger(), {
		warn: { value: (_message: string, fields: { competition: number }) => warnings.push(fields) },
	});
	await migrateToLatest(db, migrations, logger);
	const migrated = await db.selectFrom('competitions').selectAll().orderBy('number').execute();
	expect(
		migrated.map(({ level, heightCm, distanceKm, task, kind, horseMinAge }) => [
			level,
			heightCm ?? distanceKm ?? task,
			horseMinAge,
			kind,
		]),
	).toEqual([
		['LM', 'LM5', 6, 'STANDARD'],
		['S', null, 7, 'STANDARD'],
		['L', 115, 5, 'STANDARD'],
		['LM', 130, 5, 'STANDARD'],
		['LM', null, 7, 'STANDARD'],
		['A', null, 4, 'STANDARD'],
		['QUATSCH', null, 6, 'STANDARD'],
		['V105', 105, 5, 'STANDARD'],
		['M', 40, 4, 'STANDARD'],
		['M', 80, 5, 'STANDARD'],
		['M', null, 6, 'STANDARD'],
		['A 140', null, 4, 'STANDARD'],
		['L 1150', null, 5, 'STANDARD'],
	]);
	expect(warnings.toSorted((a, b) => a.competition - b.competition)).toEqual([
		expect.objectContaining({ competition: 6, level: 'A', doubt: 'the name has 95 cm' }),
		expect.objectContaining({ competition: 7, level: 'QUATSCH', doubt: 'not a level of JUMPING' }),
		expect.objectContaining({ competition: 12, level: 'A 140', doubt: 'the level has other heights' }),
		expect.objectContaining({ competition: 13, level: 'L 1150', doubt: 'the level has other heights' }),
	]);
	// The level is another one: who has read the former may not overwrite it.
	expect(new Set(migrated.map(({ version }) => version))).toEqual(new Set([2]));
});
