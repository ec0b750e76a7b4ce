import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, migrateToLatest } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, migratedTemplate, openTestPool, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import type { EventsSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { setStage } from './stage.ts';

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0006'));
let database: TestDatabase;
let db: Database<EventsSchema>;

beforeAll(async () => {
	database = await createTestDatabase(migratedTemplate('events_before_0006', before));
	db = openTestPool<EventsSchema>(database.url);
});
afterAll(async () => {
	await db.destroy();
	await database.drop();
});

test('entries made before count as confirmed, and their warnings get the subject that their texts have', async () => {
	const eventId = await setStage({ db, peers: { members: new Map(), horses: new Map() } }).event();
	const found = [
		{
			code: 'FEE_UNPAID',
			level: 'WARNING',
			message: 'Eva Zügelbauer has not paid the membership fee for 2026.',
		},
		{ code: 'HOME_CLUB_MISSING', level: 'WARNING', message: 'Eva Zügelbauer belongs to no club.' },
		{
			code: 'FEE_UNPAID',
			level: 'WARNING',
			message: 'The registration fee of Lärchenglut is not paid for 2026.',
		},
	];
	const insert = (number: number, checks: readonly object[]) =>
		sql`
			insert into entries (
				event_id, entry_number, type, status, rider_member_id, rider_name, rider_nation, rider_age_classes,
				horse_id, horse_name, horse_birth_year, horse_keeper_ids, checks, amount_due, entered_by, created_at, updated_at
			) values (
				${eventId}, ${number}, 'REGULAR', 'ACCEPTED', ${randomUUID()}, 'Eva Zügelbauer', 'AT', '{}',
				${randomUUID()}, 'Lärchenglut', 2016, '{}', ${JSON.stringify(checks)}::jsonb, 4300, ${randomUUID()}, now(), now()
			)`.execute(db);
	await insert(1, found);
	await insert(2, []);
	await migrateToLatest(db, migrations, silentLogger());
	const rows = await db.selectFrom('entries').selectAll().orderBy('entryNumber').execute();
	expect(rows.map(({ isConfirmed, status }) => [isConfirmed, status])).toEqual([
		[true, 'ACCEPTED'],
		[true, 'ACCEPTED'],
	]);
	expect(rows.map(({ checks }) => checks)).toEqual([
		found.map((check, index) =>
			index === 2 ? { ...check, code: 'HORSE_FEE_UNPAID', about: 'HORSE' } : { ...check, about: 'RIDER' },
		),
		[],
	]);
});
