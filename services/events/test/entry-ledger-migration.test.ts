import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, migrateToLatest } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, migratedTemplate, openTestPool, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import type { EventsSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { setStage } from './stage.ts';

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0014'));
let database: TestDatabase;
let db: Database<EventsSchema>;

beforeAll(async () => {
	database = await createTestDatabase(migratedTemplate('events_before_0014', before));
	db = openTestPool<EventsSchema>(database.url);
});
afterAll(async () => {
	await db.destroy();
	await database.drop();
});

/** Status of the entry, of its starts, type, amount due in cents, and the ledger that it gets. */
const entries = [
	['ACCEPTED', 'ACCEPTED', 'REGULAR', 4_300, ['ENTRY 2500', 'START 1800']],
	['ACCEPTED', 'ACCEPTED', 'LATE', 5_800, ['ENTRY 2500', 'LATE 1500', 'START 1800']],
	// The fees were lower on the day of entry.
	['ACCEPTED', 'ACCEPTED', 'LATE', 3_000, ['ENTRY 3000']],
	// A second entry of a horse, without entry fee.
	['ACCEPTED', 'ACCEPTED', 'REGULAR', 1_800, ['START 1800']],
	['WAITLISTED', 'WAITLISTED', 'REGULAR', 4_300, ['ENTRY 2500', 'START 1800']],
	['PENDING_CONFIRMATION', 'PENDING_CONFIRMATION', 'REGULAR', 0, []],
	['WITHDRAWN', 'WITHDRAWN', 'REGULAR', 4_300, ['ENTRY 2500', 'START 1800']],
	['WITHDRAWN', 'WITHDRAWN', 'REGULAR', 0, []],
	['WITHDRAWN', 'CANCELLED', 'REGULAR', 2_500, ['ENTRY 2500']],
	['CANCELLED', 'CANCELLED', 'REGULAR', 2_500, ['ENTRY 2500']],
	['REJECTED', 'REJECTED', 'REGULAR', 0, []],
	['DECLINED', 'DECLINED', 'REGULAR', 0, []],
] as const;

const checks = [
	{ code: 'AGE_CLASS', level: 'ERROR', about: 'RIDER', message: 'Not "code": "AGE_CLASS"' },
	{ code: 'FEE_UNPAID', level: 'WARNING', about: 'HORSE', message: '' },
	{ code: 'FEE_UNPAID', level: 'WARNING', about: 'RIDER', message: '' },
];

async function insertEntry(eventId: string, competitionId: string, index: number) {
	const [status, startStatus, type, amountDue] = entries[index] ?? entries[0];
	const [riderMemberId, horseId] = [randomUUID(), randomUUID()];
	const { rows } = await sql<{ id: string }>`
		insert into entries (
			event_id, entry_number, type, status, position, rider_member_id, rider_name, rider_nation, rider_age_classes, horse_id,
			horse_name, horse_birth_year, horse_keeper_ids, checks, amount_due, is_confirmed, entered_by, created_at, updated_at
		) values (
			${eventId}, ${index + 1}, ${type}, ${status}, ${status === 'WAITLISTED' ? 1 : null}::integer, ${riderMemberId},
			'Eva Zügelbauer', 'AT', '{}', ${horseId}, 'Lärchenglut', 2016, '{}', ${JSON.stringify(checks)}::jsonb, ${amountDue},
			${!['PENDING_CONFIRMATION', 'DECLINED'].includes(status)}, ${randomUUID()}, now(), now()
		) returning id`.execute(db);
	await sql`
		insert into starts (entry_id, competition_id, status, horse_id, rider_member_id, start_fee)
		values (${rows[0]?.id}, ${competitionId}, ${startStatus}, ${horseId}, ${riderMemberId}, 1800)`.execute(
		db,
	);
}

test('entries of every status keep what they owe, split into lines, with the present codes and no overrides', async () => {
	const stage = setStage({ db, peers: { members: new Map(), horses: new Map() } });
	const eventId = await stage.event();
	const competitionId = await stage.competition(eventId);
	for (const index of entries.keys()) await insertEntry(eventId, competitionId, index);
	await migrateToLatest(db, migrations, silentLogger());
	const rows = await db.selectFrom('entries').selectAll().orderBy('entryNumber').execute();
	const lines = await db.selectFrom('ledgerLines').selectAll().execute();
	expect(
		rows.map(({ id, status, amountDue }) => [
			status,
			amountDue,
			lines
				.filter(({ entryId }) => entryId === id)
				.map(({ kind, amount }) => `${kind} ${amount}`)
				.sort(),
		]),
	).toEqual(entries.map(([status, , , amountDue, ledger]) => [status, amountDue, ledger]));
	for (const { checks: found, overrides, boxes, vacatedAt } of rows)
		expect([found.map(({ code }) => code), overrides, boxes, vacatedAt]).toEqual([
			['AGE_CLASS_MISMATCH', 'HORSE_FEE_UNPAID', 'FEE_UNPAID'],
			[],
			0,
			null,
		]);
	// As an instance of the version before changes it.
	await sql`update entries set amount_due = 0 where amount_due > 0`.execute(db);
	const { rows: unbalanced } = await sql`
		select from entries where amount_due <> (
			select coalesce(sum(amount), 0) from ledger_lines where entry_id = entries.id
		)`.execute(db);
	expect(unbalanced).toEqual([]);
});
