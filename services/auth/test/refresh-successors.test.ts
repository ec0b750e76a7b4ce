import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { migrateToLatest } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, openTestPool } from '@paddock/testing';
import type { AuthSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { accountRow } from './account-row.ts';

const logger = silentLogger();

// Before this migration each use within the grace left a usable token behind.
test('of several usable refresh tokens of a session the migration keeps the one that expires last', async () => {
	const database = await createTestDatabase({ name: 'empty', prepare: async () => {} });
	const db = openTestPool<AuthSchema>(database.url);
	try {
		const isEarlier = ([name]: [string, unknown]) => name < '0003-refresh-successors';
		await migrateToLatest(db, Object.fromEntries(Object.entries(migrations).filter(isEarlier)), logger);
		const at = new Date('2026-03-01T12:00:00Z');
		const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
		const user = await db
			.insertInto('users')
			.values(accountRow('anna@example.org'))
			.returning('id')
			.executeTakeFirstOrThrow();
		const session = { userId: user.id, createdAt: at, expiresAt: later(900), endedAt: null };
		const sessions = await db.insertInto('sessions').values([session, session]).returning('id').execute();
		const [one = { id: '' }, other = { id: '' }] = sessions;
		const token = (sessionId: string, expiresAt: Date, usedAt: Date | null) => {
			const row = {
				tokenHash: randomBytes(32),
				sessionId,
				expiresAt,
				usedAt,
			};
			return db.insertInto('refreshTokens').values(row).returning('tokenHash').executeTakeFirstOrThrow();
		};
		await token(one.id, later(100), at);
		await token(one.id, later(200), null);
		const kept = [await token(one.id, later(300), null), await token(other.id, later(50), null)];

		await migrateToLatest(db, migrations, logger);
		const usable = await db
			.selectFrom('refreshTokens')
			.select('tokenHash')
			.where('usedAt', 'is', null)
			.where('voidedAt', 'is', null)
			.execute();
		const texts = (rows: readonly { tokenHash: Buffer }[]) =>
			rows.map((row) => row.tokenHash.toString('hex')).sort();
		expect(texts(usable)).toEqual(texts(kept));
		await expect(token(one.id, later(400), null)).rejects.toMatchObject({
			constraint: 'refresh_tokens_usable',
		});
	} finally {
		await db.destroy();
		await database.drop();
	}
});
