import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { generateSigningKey, type JsonWebKeySet } from '@paddock/identity';
import { silentLogger } from '@paddock/telemetry';
import { eventually, openTestPool } from '@paddock/testing';
import type { AuthSchema } from '../src/database-schema.ts';
import { encryptionKeysSetting } from '../src/encryption/encryption-keys.ts';
import { createSecretBox } from '../src/encryption/secret-box.ts';
import { createSigningKeys } from '../src/keys/signing-keys.ts';
import { type RunningAuth, runAuth, type Tokens } from './running-auth.ts';

// The lifetimes here are the production defaults; only the clock is moved.
const leadMs = 120_000;
const accessMs = 900_000;
const toleranceMs = 30_000;
const reloadMs = 5_000;
const dayMs = 86_400_000;
const secrets = createSecretBox(encryptionKeysSetting.parse(undefined));

let auth: RunningAuth;
let beside: RunningAuth;

beforeEach(async () => {
	auth = await runAuth();
	beside = await runAuth({ beside: auth });
});
afterEach(async () => {
	await beside.close();
	await auth.close();
});

interface SigningKeys {
	readonly keys: readonly { kid: string; state: string; signsFrom: string; publishedUntil: string | null }[];
}

const jwks = (of: RunningAuth) => of.call<JsonWebKeySet>('GET', '/.well-known/jwks.json');
const kidsOf = async (of: RunningAuth) => (await jwks(of)).data.keys.map((key) => key.kid);
const kidIn = (token: string): string =>
	JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
const rotate = (of: RunningAuth, token: string) =>
	of.call<SigningKeys>('POST', '/auth/keys/rotate', { token });
const refresh = async (of: RunningAuth, { refreshToken }: { refreshToken: string }) =>
	(await of.call<Tokens>('POST', '/auth/refresh', { body: { refreshToken } })).data;
const profileStatus = async (of: RunningAuth, token: string) =>
	(await of.call('GET', '/auth/profile', { token })).status;

describe('GET /.well-known/jwks.json', () => {
	test('is a bare RFC 7517 key set without anything private, the same on all instances', async () => {
		const response = await jwks(auth);
		expect(response.status).toBe(200);
		expect(response.headers.get('Content-Type')).toBe('application/jwk-set+json');
		expect(response.headers.get('Cache-Control')).toBe('public, max-age=60');
		expect(Object.keys(JSON.parse(response.text))).toEqual(['keys']);
		expect(response.data.keys).toHaveLength(1);
		expect(Object.keys(response.data.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
		expect(Buffer.from(response.data.keys[0]?.n ?? '', 'base64url').length * 8).toBeGreaterThanOrEqual(2048);
		expect((await jwks(beside)).data).toEqual(response.data);
		const rows = await auth.deps.db.selectFrom('signingKeys').selectAll().execute();
		expect(rows).toHaveLength(1);
	});
});

describe('a rotation', () => {
	test('publishes, then signs, then lets the old tokens expire, then withdraws; the same on two instances', async () => {
		let admin: Tokens = await auth.administrator();
		const oldKid = kidIn(admin.accessToken);

		// Published, not used.
		const response = await rotate(auth, admin.accessToken);
		expect(response.data.keys.map((key) => key.state)).toEqual(['SIGNING', 'NEXT']);
		const newKid = response.data.keys[1]?.kid ?? '';
		expect(await kidsOf(auth)).toEqual([oldKid, newKid]);
		auth.clock.advance(reloadMs);
		expect(await kidsOf(beside)).toEqual([oldKid, newKid]);
		expect(kidIn((await refresh(beside, admin)).accessToken)).toBe(oldKid);

		// The last token of the old key, a moment before the new one signs.
		auth.clock.advance(leadMs - reloadMs - 1);
		admin = await auth.signIn(await auth.register());
		expect(kidIn(admin.accessToken)).toBe(oldKid);
		const lastOld = admin.accessToken;
		auth.clock.advance(1);
		for (const instance of [auth, beside]) {
			const tokens = await refresh(instance, admin);
			expect(kidIn(tokens.accessToken)).toBe(newKid);
			expect(await profileStatus(auth, tokens.accessToken)).toBe(200);
			expect(await profileStatus(beside, tokens.accessToken)).toBe(200);
			expect(await profileStatus(instance, lastOld)).toBe(200);
		}

		// Withdrawn only when nothing that it signed can be valid.
		// Up to a second before the end: tokens say their times in whole seconds.
		auth.clock.advance(accessMs + toleranceMs - 2_000);
		expect(await profileStatus(auth, lastOld)).toBe(200);
		auth.clock.advance(1_999);
		expect(await kidsOf(auth)).toEqual([oldKid, newKid]);
		auth.clock.advance(1);
		expect(await kidsOf(auth)).toEqual([newKid]);
		expect(await kidsOf(beside)).toEqual([newKid]);
		await auth.deps.maintenance.run();
		const rows = await auth.deps.db.selectFrom('signingKeys').select('kid').execute();
		expect(rows.map((row) => row.kid)).toEqual([newKid]);
	});

	test('that is requested again, or from another instance, while a key waits makes no second one', async () => {
		const { accessToken } = await auth.administrator();
		const responses = await Promise.all(
			[auth, beside, auth, beside].map((instance) => rotate(instance, accessToken)),
		);
		expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200]);
		for (const response of responses) expect(response.data.keys).toHaveLength(2);
	});

	test('makes one key even when two instances have both made theirs before either stores it', async () => {
		const { db } = auth.deps;
		let made = 0;
		const both = Promise.withResolvers<void>();
		const instances = [1, 2].map((aheadMs) =>
			createSigningKeys({
				db,
				secrets,
				policy: { rotationMs: 30 * dayMs, leadMs, tokenMs: accessMs },
				reloadMs: 0,
				now: () => new Date(auth.clock.now().getTime() + aheadMs),
				logger: silentLogger(),
				generateKey: async () => {
					const key = await generateSigningKey();
					made += 1;
					if (made === 2) both.resolve();
					await both.promise;
					return key;
				},
			}),
		);
		await Promise.all(instances.map((instance) => instance.rotate()));
		expect(made).toBe(2);
		expect(await db.selectFrom('signingKeys').select('kid').execute()).toHaveLength(2);
	});

	test('happens automatically when the key has signed for 30 days, without a gap', async () => {
		const [first = ''] = await kidsOf(auth);
		auth.clock.advance(30 * dayMs - leadMs - 1);
		await Promise.all([auth.deps.maintenance.run(), beside.deps.maintenance.run()]);
		expect(await kidsOf(auth)).toEqual([first]);
		auth.clock.advance(1);
		await Promise.all([auth.deps.maintenance.run(), beside.deps.maintenance.run()]);
		const kids = await kidsOf(auth);
		expect(kids).toHaveLength(2);
		expect(kidIn((await auth.member()).accessToken)).toBe(first);
		auth.clock.advance(leadMs);
		expect(kidIn((await beside.member()).accessToken)).toBe(kids[1]);
	});

	test('under load refuses no token that is valid', async () => {
		const { accessToken } = await auth.administrator();
		let tokens: Tokens = await auth.member();
		let over = false;
		const statuses: number[] = [];
		const reading = (async () => {
			while (!over) {
				const [here, there] = await Promise.all([
					profileStatus(auth, tokens.accessToken),
					profileStatus(beside, tokens.accessToken),
				]);
				statuses.push(here, there);
			}
		})();
		await rotate(auth, accessToken);
		const kids = new Set<string>();
		for (let step = 0; step < 60; step++) {
			auth.clock.advance(leadMs / 30);
			tokens = await refresh(step % 2 === 0 ? auth : beside, tokens);
			kids.add(kidIn(tokens.accessToken));
		}
		over = true;
		await reading;
		expect(kids.size).toBe(2);
		expect(statuses.length).toBeGreaterThan(60);
		expect(statuses.filter((status) => status !== 200)).toEqual([]);
	});
});

test('known keys are still published while the database is unavailable, as long as they are complete', async () => {
	const db = openTestPool<AuthSchema>(auth.databaseUrl);
	const keys = createSigningKeys({
		db,
		secrets,
		policy: { rotationMs: 30 * dayMs, leadMs, tokenMs: accessMs },
		reloadMs,
		now: auth.clock.now,
		logger: silentLogger(),
	});
	const known = await keys.published();
	expect(known.keys).toHaveLength(1);
	await db.destroy();
	auth.clock.advance(leadMs - 1);
	expect(await keys.published()).toEqual(known);
	auth.clock.advance(1);
	await expect(keys.published()).rejects.toThrow();
});

test('the maintenance of a running process makes the key without a request', async () => {
	const alone = await runAuth({ settings: { MAINTENANCE_INTERVAL_MS: '10', KEY_RELOAD_MS: '0' } });
	try {
		alone.clock.advance(30 * dayMs);
		await eventually('a second key', async () => (await kidsOf(alone)).length === 2);
	} finally {
		await alone.close();
	}
});
