import { expect, test } from '@jest/globals';
import { migrateToLatest } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, migratedTemplate, openTestPool } from '@paddock/testing';
import type { AuthSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { accountRow } from './account-row.ts';

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0006'));

// Earlier releases accepted invisible characters in names; such an account could not be saved any more.
test('invisible characters are removed from the stored names of accounts', async () => {
	const database = await createTestDatabase(migratedTemplate('auth_before_0006', before));
	const db = openTestPool<AuthSchema>(database.url);
	try {
		const accounts = [
			accountRow('a@example.org', { firstName: 'An\u00adna\u200b', lastName: 'Hu\u2060ber' }),
			accountRow('b@example.org', {
				firstName: '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627',
				lastName: '\u3164',
			}),
			accountRow('c@example.org', { firstName: 'Jürgen', lastName: 'Šťastný' }),
		];
		await db.insertInto('users').values(accounts).execute();
		await migrateToLatest(db, migrations, silentLogger());
		const rows = await db.selectFrom('users').selectAll().orderBy('email').execute();
		expect(rows.map((row) => [row.firstName, row.lastName, row.version])).toEqual([
			['Anna', 'Huber', 2],
			['\u0639\u0644\u06cc\u200c\u0631\u0636\u0627', '\u3164', 1],
			['Jürgen', 'Šťastný', 1],
		]);
		expect(rows[0]?.searchText).toMatch(/^\nhuber anna\n/);
	} finally {
		await db.destroy();
		await database.drop();
	}
});
