import { createPrivateKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { generateSigningKey, type JsonWebKeySet } from '@paddock/identity';
import { encryptionKeysSetting } from '../src/encryption/encryption-keys.ts';
import { createSecretBox } from '../src/encryption/secret-box.ts';
import { findSigningKeys, insertSigningKey } from '../src/keys/store.ts';
import { recordingLogger } from './recording-logger.ts';
import { type RunningAuth, runAuth } from './running-auth.ts';

const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string];
const idOf = (key: string) => encryptionKeysSetting.parse(key)[0].id;
const boxOf = (keys: string) => createSecretBox(encryptionKeysSetting.parse(keys));
const rollingUpdateMs = 15 * 60_000;
const leadMs = 120_000;
// Lifetime of access tokens and tolerance for clocks.
const tokenMs = 930_000;

let auth: RunningAuth;
const others: RunningAuth[] = [];

/** An instance on the same database with other keys. */
async function besideWith(keys: string): Promise<RunningAuth> {
	const other = await runAuth({ beside: auth, settings: { KEY_ENCRYPTION_KEY: keys } });
	others.push(other);
	return other;
}

const storedKeys = async (of = auth) =>
	(await of.deps.db.selectFrom('signingKeys').select('privateKey').orderBy('signsFrom').execute()).map(
		(row) => row.privateKey,
	);
const kidsOf = async (of: RunningAuth) =>
	(await of.call<JsonWebKeySet>('GET', '/.well-known/jwks.json')).data.keys.map((key) => key.kid);
const kidIn = (token: string): string =>
	JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
const profileStatus = async (token: string, of = auth) =>
	(await of.call('GET', '/auth/profile', { token })).status;
const startsWith = (id: string) => expect.stringMatching(new RegExp(`^enc1:${id}:`));

beforeEach(async () => {
	auth = await runAuth({ settings: { KEY_ENCRYPTION_KEY: first } });
});
afterEach(async () => {
	await Promise.all(others.splice(0).map((other) => other.close()));
	await auth.close();
});

/** Replaces the stored key by its clear text, as a version before encrypted keys has stored it. */
async function storeInClear(): Promise<void> {
	const { db, maintenance } = auth.deps;
	// Its first run may not have ended: it would refuse the keys in clear, and make another one.
	await maintenance.close();
	for (const key of await findSigningKeys(db, boxOf(first))) {
		const pem = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
		await db.updateTable('signingKeys').set({ privateKey: pem }).where('kid', '=', key.kid).execute();
	}
}

describe('signing keys in the database', () => {
	test('are encrypted: a copy of the table signs nothing', async () => {
		const { accessToken } = await auth.administrator();
		expect((await auth.call('POST', '/auth/keys/rotate', { token: accessToken })).status).toBe(200);
		const stored = await storedKeys();
		expect(stored).toEqual([startsWith(idOf(first)), startsWith(idOf(first))]);
		for (const text of stored) {
			expect(text).not.toMatch(/BEGIN|PRIVATE/);
			expect(() => createPrivateKey(text)).toThrow();
		}
	});

	test('can’t be exchanged between rows', async () => {
		const { accessToken } = await auth.administrator();
		await auth.call('POST', '/auth/keys/rotate', { token: accessToken });
		const { db } = auth.deps;
		const [old, next] = await db.selectFrom('signingKeys').selectAll().orderBy('signsFrom').execute();
		await db
			.updateTable('signingKeys')
			.set({ privateKey: old?.privateKey ?? '' })
			.where('kid', '=', next?.kid ?? '')
			.execute();
		await expect(findSigningKeys(db, boxOf(first))).rejects.toThrow();
	});

	test('are refused and replaced if the public key was exchanged: nobody else’s tokens are accepted', async () => {
		const { db } = auth.deps;
		const foreign = await generateSigningKey();
		const [own] = await kidsOf(auth);
		if (own === undefined) throw new TypeError('no key');
		const publicJwk = { ...foreign.publicJwk, kid: own };
		await db
			.updateTable('signingKeys')
			.set({ publicJwk: JSON.stringify(publicJwk) as never })
			.execute();
		const { logger, lines } = recordingLogger();
		auth.clock.advance(1);
		const other = await runAuth({ beside: auth, logger, settings: { KEY_ENCRYPTION_KEY: first } });
		others.push(other);
		const { keys } = (await other.call<JsonWebKeySet>('GET', '/.well-known/jwks.json')).data;
		expect(keys.map(({ n }) => n)).not.toContain(foreign.publicJwk.n);
		expect(keys.map(({ kid }) => kid)).not.toContain(own);
		const { accessToken } = await other.member();
		expect(await profileStatus(accessToken, other)).toBe(200);
		const refusals = lines.filter((line) => line.includes('does not belong to its private key'));
		expect(refusals).toEqual([expect.stringContaining(own)]);
	});

	test('are encrypted with a new key by maintenance, which leaves tokens valid', async () => {
		const { accessToken, refreshToken } = await auth.member();
		const replaced = await besideWith(`${second},${first}`);
		expect(await storedKeys()).toEqual([startsWith(idOf(second))]);
		expect(await profileStatus(accessToken, replaced)).toBe(200);
		const { status } = await replaced.call('POST', '/auth/refresh', { body: { refreshToken } });
		expect(status).toBe(200);
		const alone = await besideWith(second);
		expect(await profileStatus(accessToken, alone)).toBe(200);
		// An instance that lists both reads both, whichever encrypts.
		await (await besideWith(`${first},${second}`)).deps.maintenance.run();
		expect(await profileStatus(accessToken, replaced)).toBe(200);
	});

	test('without their key refuse the start and name its id, also with another previous key', async () => {
		for (const keys of [second, `${second},${third}`]) {
			await expect(besideWith(keys)).rejects.toMatchObject({
				name: 'SettingsError',
				message: expect.stringMatching(
					new RegExp(`KEY_ENCRYPTION_KEY: must contain the key with the id ${idOf(first)}.*backup`),
				),
			});
		}
		expect(await storedKeys()).toEqual([startsWith(idOf(first))]);
	});
});

describe('signing keys of a version that stores them in clear', () => {
	test('sign on, stay readable for that version during a rolling update, then are encrypted and replaced', async () => {
		const { accessToken } = await auth.administrator();
		await storeInClear();
		const updated = await besideWith(first);
		const [kid] = await kidsOf(updated);
		await updated.deps.maintenance.run();
		// That version can read a key made now as well.
		expect((await updated.call('POST', '/auth/keys/rotate', { token: accessToken })).status).toBe(200);
		const inClear = await storedKeys();
		expect(inClear).toHaveLength(2);
		for (const pem of inClear) expect(createPrivateKey(pem).type).toBe('private');

		updated.clock.advance(rollingUpdateMs - 1);
		await updated.deps.maintenance.run();
		expect(await storedKeys()).toEqual(inClear);
		updated.clock.advance(1);
		await updated.deps.maintenance.run();
		expect(await storedKeys()).toEqual(Array(3).fill(startsWith(idOf(first))));
		const kids = await kidsOf(updated);
		expect(kids).toContain(kid);
		// Whoever has copied the keys in clear signs no longer than the rotation lasts.
		await updated.deps.maintenance.run();
		updated.clock.advance(leadMs);
		const { accessToken: signed } = await updated.member();
		expect(kidIn(signed)).toBe(kids[2]);
		expect(await profileStatus(signed, updated)).toBe(200);
		updated.clock.advance(tokenMs);
		await updated.deps.maintenance.run();
		expect(await kidsOf(updated)).toEqual([kids[2]]);
		expect(await storedKeys()).toHaveLength(1);
	});

	test('are replaced once, whichever instances encrypt them', async () => {
		await storeInClear();
		const updated = [await besideWith(first), await besideWith(first)];
		auth.clock.advance(rollingUpdateMs);
		await Promise.all(updated.map(({ deps }) => deps.maintenance.run()));
		for (const { deps } of updated) await deps.maintenance.run();
		expect(await storedKeys()).toEqual([startsWith(idOf(first)), startsWith(idOf(first))]);
	});

	test('are refused beside encrypted ones, and by an instance that has known encrypted ones', async () => {
		const { db } = auth.deps;
		const [own] = await kidsOf(auth);
		const { kid, publicJwk, privateKey } = await generateSigningKey();
		await insertSigningKey(db, undefined, {
			...{ kid, publicJwk, privateKey, createdAt: auth.clock.now() },
			signsFrom: new Date(auth.clock.now().getTime() + 1),
		});
		const { logger, lines } = recordingLogger();
		const other = await runAuth({ beside: auth, logger, settings: { KEY_ENCRYPTION_KEY: first } });
		others.push(other);
		auth.clock.advance(rollingUpdateMs);
		for (const instance of [auth, other]) {
			await instance.deps.maintenance.run();
			expect(await kidsOf(instance)).toEqual([own]);
			expect(kidIn((await instance.member()).accessToken)).toBe(own);
		}
		const refusals = lines.filter((line) => line.includes('a signing key in clear was refused'));
		expect(refusals).toEqual([expect.stringContaining(kid)]);

		await db.deleteFrom('signingKeys').where('kid', '!=', kid).execute();
		await auth.deps.maintenance.run();
		const kids = await kidsOf(auth);
		expect(kids).toHaveLength(1);
		expect(kids).not.toContain(kid);
	});
});
