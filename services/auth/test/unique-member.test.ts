import { expect, test } from '@jest/globals';
import { migrateToLatest } from '@paddock/database';
import { accountSubject } from '@paddock/identity';
import { readSettings } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import { createSettableRegistry, createTestDatabase, openTestPool } from '@paddock/testing';
import { openAuth } from '../src/app.ts';
import { settings } from '../src/config.ts';
import type { AuthSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { latestPosition } from '../src/revocations/store.ts';
import { settleUnlinkedMember } from '../src/users/store.ts';
import { accountRow } from './account-row.ts';
import { recordingLogger } from './recording-logger.ts';

const memberId = 'd2000000-0000-4000-8000-000000000005';
const otherMemberId = 'd2000000-0000-4000-8000-000000000006';
const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0005'));
const now = () => new Date();

const account = (email: string, changes: object = {}) => accountRow(email, { memberId, ...changes });

// Two accounts could have one member before 0005; the constraint alone would have failed on such data.
test('accounts that share a member: the one in use stays linked, the others are unlinked, listed and logged at each start', async () => {
	const database = await createTestDatabase({ name: 'auth_empty', prepare: async () => {} });
	const db = openTestPool<AuthSchema>(database.url);
	try {
		await migrateToLatest(db, before, silentLogger());
		const ids = await db
			.insertInto('users')
			.values([
				account('never@example.org'),
				account('closed@example.org', { status: 'CLOSED', lastLoginAt: new Date('2026-03-01') }),
				account('early@example.org', { lastLoginAt: new Date('2026-01-01') }),
				account('late@example.org', { lastLoginAt: new Date('2026-02-01') }),
				account('alone@example.org', { memberId: otherMemberId }),
				account('none@example.org', { memberId: null }),
			])
			.returning(['id', 'email'])
			.execute();
		const idOf = (name: string) => ids.find(({ email }) => email === `${name}@example.org`)?.id;
		const open = async () => {
			const { logger, lines } = recordingLogger();
			const env = {
				NODE_ENV: 'test',
				DATABASE_URL: database.url,
				PASSWORD_HASH_MEMORY_KIB: '64',
			};
			const metrics = createMetrics({ prefix: 'service', service: 'auth-service' });
			const registry = createSettableRegistry({});
			const opened = await openAuth(readSettings(settings, env), { logger, metrics, now, registry });
			await opened.close();
			return lines
				.filter((line) => line.includes('unlinked from its member'))
				.map((line) => JSON.parse(line));
		};

		const warnings = await open();
		const linked = await db
			.selectFrom('users')
			.select(['email', 'memberId'])
			.where('memberId', 'is not', null)
			.orderBy('email')
			.execute();
		expect(linked).toEqual([
			{ email: 'alone@example.org', memberId: otherMemberId },
			{ email: 'late@example.org', memberId },
		]);
		expect(warnings).toHaveLength(3);
		const revoked = await db.selectFrom('revocations').selectAll().orderBy('position').execute();
		expect(revoked.map(({ position, before: version }) => [position, version])).toEqual(
			[1, 2, 3].map((n) => [n, 2]),
		);
		const unlinked = ['never', 'closed', 'early'].map((name) => accountSubject(idOf(name) ?? ''));
		expect(revoked.map(({ subject }) => subject).sort()).toEqual(unlinked.sort());
		expect((await latestPosition(db)).position).toBe(3);
		for (const name of ['never', 'closed', 'early']) {
			const fields = { level: 'warn', userId: idOf(name), memberId, keptBy: idOf('late') };
			expect(warnings).toContainEqual(expect.objectContaining(fields));
		}

		// An officer has decided on one, another one has been removed.
		await settleUnlinkedMember(db, idOf('never') ?? '');
		await db.deleteFrom('users').where('email', '=', 'early@example.org').execute();
		expect((await open()).map(({ userId }) => userId)).toEqual([idOf('closed')]);
	} finally {
		await db.destroy();
		await database.drop();
	}
});
