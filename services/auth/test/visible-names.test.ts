import { expect, test } from '@jest/globals';
import { migrateToLatest } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, migratedTemplate, openTestPool } from '@paddock/testing';
import type { AuthSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0006'));
const at = new Date('2026-01-01T00:00:00Z');

function account(email: string, firstName: string, lastName: string) {
	return {
		email,
		passwordHash: 'x',
		firstName,
		lastName,
		phoneNumber: null,
		locale: 'de-AT',
		roles: ['MEMBER' as const],
		roleScopes: {},
		memberId: null,
		status: 'ACTIVE' as const,
		searchText: email,
		isDemo: false,
		lastLoginAt: null,
		passwordChangedAt: at,
		createdAt: at,
		updatedAt: at,
	};
}

// Earlier releases accepted invisible characters in names; such an account could not be saved any more.
test('invisible characters are removed from the stored names of accounts', async () => {
	const database = await createTestDatabase(migratedTemplate('auth_before_0006', before));
	const db = openTestPool<AuthSchema>(database.url, { camelCase: true });
	try {
		const accounts = [
			account('a@example.org', 'An\u00adna\u200b', 'Hu\u2060ber'),
			account('b@example.org', '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627', '\u3164'),
			account('c@example.org', 'Jürgen', 'Šťastný'),
		];
		await db.insertInto('users').values(accounts).execute();
		await migrateToLatest(db, migrations, silentLogger());
		const rows = await db.selectFrom('users').selectAll().orderBy('email').execute();
		expect(rows.map((row) => [row.firstName, row.lastName, row.version])).toEqual([
			['Anna', 'Huber', 2],
			['\u0639\u0644\u06cc\u200c\u0631\u0636\u0627', '\u3164', 1],
			['Jürgen', 'Šťastný', 1],
		]);
		expect(rows[0]?.searchText).toBe('\nhuber\nanna\na@example.org');
	} finally {
		await db.destroy();
		await database.drop();
	}
});
