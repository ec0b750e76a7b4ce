import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChangeAuthor, changeAuthor } from '@paddock/contract';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import {
	changeHistory,
	deleteChangesBefore,
	eraseChanges,
	listChanges,
	recordChangesOf,
} from './change-history.ts';
import { createDatabase, type Database } from './database.ts';
import { inTransaction } from './in-transaction.ts';
import { migrateToLatest } from './migrate-to-latest.ts';

interface Schema {
	horses: { id: string; name: string; fee: number | null; secret: string; searchText: string };
	shares: { horseId: string; share: number };
}

const logger = silentLogger();
const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const officer: ChangeAuthor = {
	userId: 'c1f0b6a2-7a3e-4b0c-8f59-0d1f2f9b5b11',
	roles: ['MEMBER', 'FEDERATION_OFFICER'],
	requestId: 'request-1',
	reason: 'Fee was paid in cash.',
};
let testDatabase: TestDatabase;
let db: Database<Schema>;

beforeAll(async () => {
	testDatabase = await createTestDatabase({
		name: 'history',
		prepare: async (url) => {
			const empty = createDatabase({ url, applicationName: 'test', logger });
			const tables = {
				up: async () => {
					await sql`create table horses (
						id uuid primary key, name text not null, fee int, secret text not null, search_text text not null)`.execute(
						empty,
					);
					await sql`create table shares (horse_id uuid references horses on delete cascade, share int)`.execute(
						empty,
					);
				},
			};
			await tables.up();
			const history = changeHistory({
				horses: { type: 'HORSE', without: ['secret'] },
				shares: { type: 'SHARE', record: 'select h.id from horses h where h.id = horse_id' },
			});
			await migrateToLatest(empty, { '0001-history': history }, logger);
			await empty.destroy();
		},
	});
	db = createDatabase({ url: testDatabase.url, applicationName: 'test', logger });
});

afterAll(async () => {
	await db.destroy();
	await testDatabase.drop();
});

const request = { size: 50, offset: 0, scope: 'test' };
const changes = async () => (await listChanges(db, id, request)).items;

test('records who changed what, in the transaction of the change', async () => {
	await changeAuthor.run(officer, () =>
		inTransaction(db, (open) =>
			open
				.insertInto('horses')
				.values({ id, name: 'Vulkan', fee: null, secret: 'abc', searchText: 'vulkan' })
				.execute(),
		),
	);
	await changeAuthor.run(officer, () =>
		inTransaction(db, (open) =>
			open
				.updateTable('horses')
				.set({ fee: 40, secret: 'new', searchText: 'x' })
				.where('id', '=', id)
				.execute(),
		),
	);
	const failed = changeAuthor.run(officer, () =>
		inTransaction(db, async (open) => {
			await open.updateTable('horses').set({ fee: 50 }).where('id', '=', id).execute();
			throw new Error('rolled back');
		}),
	);
	await expect(failed).rejects.toThrow('rolled back');
	// Neither a change of what is not stored, nor one to the same value.
	await db.updateTable('horses').set({ secret: 'newer', fee: 40 }).where('id', '=', id).execute();
	await db.updateTable('horses').set({ fee: 41 }).where('id', '=', id).execute();
	expect(await changes()).toEqual([
		expect.objectContaining({
			operation: 'CHANGED',
			author: null,
			fields: [{ name: 'fee', before: 40, after: 41 }],
		}),
		expect.objectContaining({
			operation: 'CHANGED',
			recordType: 'HORSE',
			recordId: id,
			author: officer,
			fields: [{ name: 'fee', before: null, after: 40 }],
		}),
		expect.objectContaining({ operation: 'CREATED', author: officer, fields: [] }),
	]);
	const fields = (await changes()).flatMap((change) => change.fields);
	expect(JSON.stringify(fields)).not.toMatch(/abc|new|searchText/);
});

test('parts belong to the history of their record; a deletion keeps the last values', async () => {
	await db.insertInto('shares').values({ horseId: id, share: 50 }).execute();
	await db.updateTable('shares').set({ share: 60 }).execute();
	await inTransaction(db, (open) => open.deleteFrom('horses').where('id', '=', id).execute());
	const [deleted, share, added] = await changes();
	expect(deleted).toMatchObject({ operation: 'DELETED', recordType: 'HORSE', author: { service: 'system' } });
	expect(deleted?.fields).toContainEqual({ name: 'name', before: 'Vulkan', after: null });
	expect(share).toMatchObject({ recordType: 'SHARE', fields: [{ name: 'share', before: 50, after: 60 }] });
	expect(added).toMatchObject({ recordType: 'SHARE', operation: 'CREATED' });
});

test('lists those with certain fields, and creations and deletions', async () => {
	const of = async (columns: readonly string[]) =>
		(await listChanges(db, id, request, columns)).items.map(
			({ operation, recordType }) => `${recordType} ${operation}`,
		);
	const whole = ['HORSE DELETED', 'SHARE CREATED', 'HORSE CREATED'];
	expect(await of(['searchText'])).toEqual(whole);
	expect(await of(['horseId', 'share'])).toEqual(whole.toSpliced(1, 0, 'SHARE CHANGED'));
	expect((await of(['fee'])).filter((each) => each === 'HORSE CHANGED')).toHaveLength(2);
});

test('erasure keeps that something changed, and nothing of what', async () => {
	await eraseChanges(db, [id]);
	const erased = await changes();
	expect(erased.length).toBeGreaterThan(4);
	expect(erased.flatMap(({ fields }) => fields)).toEqual([]);
	expect(JSON.stringify(erased)).not.toContain('cash');
	const { items } = await listChanges(db, id, request, ['fee']);
	expect(items.map(({ operation }) => operation)).not.toContain('CHANGED');
});

test('deletes what is older than the retention, and only that', async () => {
	const [newest, next] = await changes();
	await deleteChangesBefore(db, new Date(newest?.changedAt ?? 0));
	expect((await changes()).map((change) => change.id)).not.toContain(next?.id);
	await deleteChangesBefore(db, new Date(Date.now() + 60_000));
	expect(await changes()).toEqual([]);
});

// pg_dump and repair scripts have an empty search path; a failing trigger would lose their writes.
test('works with an empty search path, and stores only the columns that a table names', async () => {
	await sql`create table keys (id uuid primary key, kid text, private_key text)`.execute(db);
	await recordChangesOf(db as never, { keys: { type: 'KEY', only: ['kid'] } });
	await inTransaction(db, async (open) => {
		await sql`set local search_path = ''`.execute(open);
		await sql`insert into public.keys values (${id}, 'one', 'private')`.execute(open);
		await sql`update public.keys set kid = 'two', private_key = 'other'`.execute(open);
		await sql`update public.keys set private_key = 'third'`.execute(open);
		await sql`delete from public.keys`.execute(open);
	});
	const [deleted, changed, created, ...others] = await changes();
	expect(others).toEqual([]);
	expect(deleted?.fields).toEqual([{ name: 'kid', before: 'two', after: null }]);
	expect(changed?.fields).toEqual([{ name: 'kid', before: 'one', after: 'two' }]);
	expect(created?.operation).toBe('CREATED');
});
