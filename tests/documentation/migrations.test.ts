import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Migration } from '@paddock/database';
import { sql } from 'kysely';
import { contexts } from '../../scripts/contexts/contexts.ts';
import {
	checksumsPath,
	checksumsText,
	migrationChecksum,
	violationsOf,
} from '../../scripts/docs/migrations/released-migrations.ts';
import { migratedContexts } from '../../scripts/migrate/context-migrations.ts';

// An edited migration leaves existing databases as they were, so they differ from new ones without a sign of it.
describe('released migrations', () => {
	test.each(migratedContexts())(
		'%s: each runs the statements that its checksum was made of',
		async (context) => {
			const committed = readFileSync(new URL(`../../${checksumsPath(context)}`, import.meta.url), 'utf8');
			expect(Object.keys(JSON.parse(committed)).length).toBeGreaterThan(0);
			expect(await checksumsText(context)).toBe(committed);
		},
	);

	test('every context with a database has checksums', () => {
		const withDatabase = contexts.filter(({ hasDatabase }) => hasDatabase).map(({ name }) => name);
		expect(migratedContexts()).toEqual(withDatabase.sort());
	});
});

const creates = (type: string): Migration => ({
	up: async (db) => {
		await sql.raw(`create table venues (id ${type})`).execute(db);
	},
});

describe('the checksum of a migration', () => {
	test('is the same for the same statements, however they are laid out', async () => {
		expect(await migrationChecksum(creates('uuid\n\t'))).toBe(await migrationChecksum(creates('uuid \n ')));
	});

	test('differs for another column type', async () => {
		expect(await migrationChecksum(creates('text'))).not.toBe(await migrationChecksum(creates('uuid')));
	});

	test('covers parameters', async () => {
		const inserts = (name: string): Migration => ({
			up: async (db) => {
				await db
					.insertInto('venues' as never)
					.values({ name } as never)
					.execute();
			},
		});
		expect(await migrationChecksum(inserts('Wien'))).not.toBe(await migrationChecksum(inserts('Graz')));
	});
});

describe('migrations beside released ones', () => {
	const released = { '0001-clubs': 'a', '0002-members': 'b' };

	test('may be added at the end', () => {
		expect(violationsOf(released, { ...released, '0003-guardians': 'c' })).toEqual([]);
	});

	test('must not change', () => {
		expect(violationsOf(released, { ...released, '0001-clubs': 'x' })).toEqual([
			'migration 0001-clubs was released and must not change; add a new one',
		]);
	});

	test('must not be removed', () => {
		expect(violationsOf(released, { '0001-clubs': 'a' })).toEqual([
			'migration 0002-members was released and must not be removed',
		]);
	});

	test('must not run before a released one, which Kysely would refuse on an existing database', () => {
		expect(violationsOf(released, { ...released, '0002-guardians': 'c' })).toEqual([
			'migration 0002-guardians must sort after 0002-members, the last released one',
		]);
	});
});
