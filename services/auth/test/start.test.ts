import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoPassword, demoSignIns } from '@paddock/demo';
import { accountSubject } from '@paddock/identity';
import { readSettings } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import { createSettableRegistry, createTestDatabase, type TestDatabase } from '@paddock/testing';
import { openAuth } from '../src/app.ts';
import { settings } from '../src/config.ts';
import { removeDemo } from '../src/demo.ts';

const now = () => new Date();
const administrator = { ADMIN_EMAIL: ' Boss@Example.ORG', ADMIN_PASSWORD: 'three bales and a bucket' };
let database: TestDatabase;

const context = () => ({
	logger: silentLogger(),
	metrics: createMetrics({ prefix: 'service', service: 'auth-service' }),
	now,
	registry: createSettableRegistry({}),
});

const read = (env: Readonly<Record<string, string>>) =>
	readSettings(settings, { NODE_ENV: 'test', KEY_ENCRYPTION_KEY: 'e'.repeat(64), ...env });

const open = (env: Readonly<Record<string, string>> = {}) =>
	openAuth(read({ DATABASE_URL: database.url, ...env }), context());

/** Opens, looks at the users, closes. */
async function usersAfter(env: Readonly<Record<string, string>>) {
	const opened = await open(env);
	try {
		return await opened.deps.db.selectFrom('users').selectAll().orderBy('email').execute();
	} finally {
		await opened.close();
	}
}

describe('a start on an empty database', () => {
	beforeAll(async () => {
		database = await createTestDatabase({ name: 'auth_empty', prepare: async () => {} });
	});
	afterAll(() => database.drop());

	test.each([
		['an invalid address', { ADMIN_EMAIL: 'boss' }, 'ADMIN_EMAIL'],
		['a short password', { ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD'],
		['a common password', { ADMIN_PASSWORD: 'Administrator2026' }, 'ADMIN_PASSWORD'],
		['the address in the password', { ADMIN_PASSWORD: 'boss of the barn' }, 'ADMIN_PASSWORD'],
	])('refuses an administrator with %s', async (_name, env, setting) => {
		await expect(open({ ...administrator, ...env })).rejects.toMatchObject({
			name: 'SettingsError',
			message: expect.stringContaining(setting),
		});
	});

	test('by two instances at once makes the administrator, the demo users and one key, once', async () => {
		const env = { ...administrator, DEMO: 'on' };
		const both = await Promise.all([open(env), open(env)]);
		try {
			const { db } = both[0].deps;
			const users = await db.selectFrom('users').selectAll().orderBy('email').execute();
			expect(users.map((user) => [user.email, user.roles, user.isDemo])).toEqual([
				['admin@example.org', ['MEMBER', 'ADMIN'], true],
				['boss@example.org', ['MEMBER', 'ADMIN'], false],
				['member@example.org', ['MEMBER'], true],
				['officer@example.org', ['MEMBER', 'FEDERATION_OFFICER'], true],
				['official@example.org', ['MEMBER', 'CLUB_OFFICIAL'], true],
				['organiser@example.org', ['MEMBER', 'ORGANISER'], true],
			]);
			const linked = users
				.filter((user) => user.isDemo)
				.map((user) => [user.email, user.memberId, user.roleScopes]);
			expect(linked.sort()).toEqual(
				demoSignIns.map((user) => [user.email, user.memberId, user.roleScopes]).sort(),
			);
			expect(await db.selectFrom('signingKeys').select('kid').execute()).toHaveLength(1);
			const hash = users.find((user) => user.email === 'boss@example.org')?.passwordHash;
			expect(await both[1].deps.passwordHash.verify(hash, administrator.ADMIN_PASSWORD)).toBe(true);
		} finally {
			await Promise.all(both.map((opened) => opened.close()));
		}
	});

	test('is followed by one that changes nothing, not even with another password', async () => {
		const before = await usersAfter({});
		expect(
			await usersAfter({ ...administrator, ADMIN_PASSWORD: 'a bucket and three bales', DEMO: 'on' }),
		).toEqual(before);
	});

	test('is followed by one whose ADMIN_PASSWORD the rules refuse by now: nothing uses it', async () => {
		const before = await usersAfter({});
		expect(await usersAfter({ ...administrator, ADMIN_PASSWORD: 'Administrator2026' })).toEqual(before);
	});

	test('after their removal does not bring demo users back', async () => {
		const other = await createTestDatabase({ name: 'auth_empty', prepare: async () => {} });
		const demo = read({ DATABASE_URL: other.url, DEMO: 'on' });
		try {
			const opened = await openAuth(demo, context());
			const { db } = opened.deps;
			const accounts = await db.selectFrom('users').select(['id', 'version']).execute();
			const note = expect.stringContaining('ADMIN_EMAIL');
			expect(await removeDemo(db, now())).toEqual({ removed: demoSignIns.length, note });
			expect(await removeDemo(db, now())).toEqual({ removed: 0, note });
			const revoked = await db.selectFrom('revocations').select(['subject', 'before']).execute();
			// A token carries the version that its account had.
			const expected = accounts.map(({ id, version }) => ({
				subject: accountSubject(id),
				before: version + 1,
			}));
			expect(revoked).toHaveLength(demoSignIns.length);
			expect(revoked).toEqual(expect.arrayContaining(expected));
			await opened.close();
			const again = await openAuth(demo, context());
			expect(await again.deps.db.selectFrom('users').select('id').execute()).toEqual([]);
			await again.close();
		} finally {
			await other.drop();
		}
	});

	test('with demo users is refused in production', async () => {
		const SERVICE_SECRETS = `events-service=${'e'.repeat(32)}`;
		const ADMIN_PASSWORD = 'seven ladders behind the barn';
		const production = {
			...administrator,
			NODE_ENV: 'production',
			EMAIL_VERIFICATION: 'on',
			SMTP_URL: 'smtp://127.0.0.1:9',
			ADMIN_PASSWORD,
			SERVICE_SECRETS,
		};
		await expect(open(production)).rejects.toMatchObject({
			name: 'SettingsError',
			message: expect.stringContaining('demo accounts'),
		});
	});
});

test('an account that was registered with the address before does not become the administrator', async () => {
	database = await createTestDatabase({ name: 'auth_empty', prepare: async () => {} });
	try {
		const opened = await open({ DEMO: 'on' });
		await opened.deps.db.deleteFrom('users').where('email', '=', 'admin@example.org').execute();
		await opened.close();
		await expect(open({ ...administrator, ADMIN_EMAIL: 'member@example.org' })).rejects.toMatchObject({
			name: 'SettingsError',
			message: expect.stringContaining('ADMIN_EMAIL'),
		});
	} finally {
		await database.drop();
	}
});

test('the demo password satisfies the password rules', async () => {
	for (const { email } of demoSignIns) {
		// The settings are judged only if the database has no administrator.
		database = await createTestDatabase({ name: 'auth_empty', prepare: async () => {} });
		try {
			await (await open({ ADMIN_EMAIL: email, ADMIN_PASSWORD: demoPassword, SIGN_IN_DELAY_MS: '1' })).close();
		} finally {
			await database.drop();
		}
	}
});
