import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createDatabase, migrateToLatest } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase } from '@paddock/testing';
import type { AuthTables } from '../src/auth-database.ts';
import { migrations } from '../src/migrations.ts';

const logger = silentLogger();

// Before this migration each use within the grace left a token behind that could be exchanged.
test('of several usable refresh tokens of a session the migration keeps the one that expires last', async () => {
	const database = await createTestDatabase({ name: 'empty', prepare: async () => {} });
	const db = createDatabase<AuthTables>({ url: database.url, applicationName: 'auth-tests', logger });
	try {
		const isEarlier = ([name]: [string, unknown]) => name < '0003-refresh-successors';
		await migrateToLatest(db, Object.fromEntries(Object.entries(migrations).filter(isEarlier)), logger);
		const at = new Date('2026-03-01T12:00:00Z');
		const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
		const user = await db
			.insertInto('users')
			.values({
				email: 'anna@example.org',
				password_hash: 'x',
				first_name: 'Anna',
				last_name: 'Huber',
				locale: 'de-AT',
				roles: ['MEMBER'],
				role_scopes: '{}',
				status: 'ACTIVE',
				search_text: '',
				is_demo: false,
				password_changed_at: at,
				created_at: at,
				updated_at: at,
			})
			.returning('id')
			.executeTakeFirstOrThrow();
		const session = { user_id: user.id, created_at: at, expires_at: later(900), ended_at: null };
		const sessions = await db.insertInto('sessions').values([session, session]).returning('id').execute();
		const [one = { id: '' }, other = { id: '' }] = sessions;
		const token = (sessionId: string, expiresAt: Date, usedAt: Date | null) => {
			const row = {
				token_hash: randomBytes(32),
				session_id: sessionId,
				expires_at: expiresAt,
				used_at: usedAt,
			};
			return db.insertInto('refresh_tokens').values(row).returning('token_hash').executeTakeFirstOrThrow();
		};
		await token(one.id, later(100), at);
		await token(one.id, later(200), null);
		const kept = [await token(one.id, later(300), null), await token(other.id, later(50), null)];

		await migrateToLatest(db, migrations, logger);
		const usable = await db
			.selectFrom('refresh_tokens')
			.select('token_hash')
			.where('used_at', 'is', null)
			.where('voided_at', 'is', null)
			.execute();
		const texts = (rows: readonly { token_hash: Buffer }[]) =>
			rows.map((row) => row.token_hash.toString('hex')).sort();
		expect(texts(usable)).toEqual(texts(kept));
		await expect(token(one.id, later(400), null)).rejects.toMatchObject({
			constraint: 'refresh_tokens_usable',
		});
	} finally {
		await db.destroy();
		await database.drop();
	}
});
