import { inTransaction } from '@paddock/database';
import { generateSigningKey, type JsonWebKeySet, type SigningKey } from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';
import type { AuthDatabase, AuthQueryable } from '../database-schema.ts';
import type { SecretBox } from '../encryption/secret-box.ts';
import { acceptedKeys, encryptKeys, isInClear } from './encrypt-keys.ts';
import { isRotationDue, type KeyPolicy, type PlacedKey, publishedKeys, signsFromOf } from './key-ring.ts';
import {
	deleteSigningKeys,
	findSigningKeys,
	insertSigningKey,
	lockRotation,
	type StoredKey,
} from './store.ts';

/** The signing keys of access tokens, stored in the database and shared by all instances. */
export interface SigningKeys {
	/**
	 * Returns the current signing key. May query the database; don't call it within a transaction, which holds a
	 * connection.
	 */
	signing(): Promise<SigningKey>;
	/** Returns the key set for verifiers. */
	published(): Promise<JsonWebKeySet>;
	/** The published keys with their states, oldest first. */
	list(): Promise<PlacedKey<StoredKey>[]>;
	/** Creates the next key unless a key that doesn't sign yet exists. */
	rotate(): Promise<void>;
	/**
	 * Creates the next key when rotation is due, removes keys that are no longer published, and encrypts the others with
	 * the current key of KEY_ENCRYPTION_KEY. Keys in clear get a successor then.
	 */
	maintain(): Promise<void>;
}

interface SigningKeysDeps {
	readonly db: AuthDatabase;
	readonly policy: KeyPolicy;
	readonly secrets: SecretBox;
	/** Time for which keys read from the database are cached; at most the policy's lead time. */
	readonly reloadMs: number;
	readonly generateKey?: typeof generateSigningKey;
	readonly now: () => Date;
	readonly logger: Logger;
}

/**
 * Instances of a version before encrypted keys can't read them. Keys that such a version has stored are encrypted this long
 * after the start, when a rolling update has ended.
 */
const rollingUpdateMs = 15 * 60_000;

export function createSigningKeys(deps: SigningKeysDeps): SigningKeys {
	const { db, policy, secrets, now, logger, generateKey = generateSigningKey } = deps;
	const startedAt = now();
	let known: { readonly keys: readonly StoredKey[]; readonly atMs: number } | undefined;
	let loading: Promise<readonly StoredKey[]> | undefined;

	const accepted = acceptedKeys(logger);
	const find = async (source: AuthQueryable) => accepted(await findSigningKeys(source, secrets));
	const reload = async (): Promise<readonly StoredKey[]> => {
		// Taken before the query: the result may lack keys that are inserted while the query runs.
		const atMs = now().getTime();
		const keys = await find(db);
		known = { keys, atMs };
		return keys;
	};
	const keys = async (): Promise<readonly StoredKey[]> => {
		if (known !== undefined && isYoungerThan(known.atMs, deps.reloadMs)) return known.keys;
		loading ??= reload().finally(() => {
			loading = undefined;
		});
		try {
			return await loading;
		} catch (error) {
			// Verifiers that start during a database outage also need keys. A key that another instance created after
			// the last read doesn't sign until its lead time has passed, so the cached keys are complete until then.
			if (known === undefined || !isYoungerThan(known.atMs, policy.leadMs)) throw error;
			logger.warn('signing keys could not be read, the known ones are used', { error });
			return known.keys;
		}
	};
	const isYoungerThan = (atMs: number, ms: number): boolean => {
		const ageMs = now().getTime() - atMs;
		return ageMs >= 0 && ageMs < ms;
	};
	const mayRunOlder = (stored: readonly StoredKey[]): boolean =>
		stored.some(isInClear) && now().getTime() < startedAt.getTime() + rollingUpdateMs;
	const encryptWithCurrentKey = async (stored: readonly StoredKey[]): Promise<void> => {
		if (mayRunOlder(stored)) return;
		if (await encryptKeys({ ...deps, generateKey }, stored)) await reload();
	};
	const list = async () => publishedKeys(await keys(), now(), policy);

	const addKeyIf = async (wanted: (stored: readonly StoredKey[]) => boolean): Promise<void> => {
		if (!wanted(await reload())) return;
		// Generated before the lock, as generation is slow; if several instances generate a key at once, only one row
		// is inserted.
		const made = await generateKey();
		const added = await inTransaction(db, async (transaction) => {
			await lockRotation(transaction);
			const stored = await find(transaction);
			if (!wanted(stored)) return false;
			const createdAt = now();
			await insertSigningKey(transaction, mayRunOlder(stored) ? undefined : secrets, {
				...made,
				createdAt,
				signsFrom: signsFromOf(stored, createdAt, policy),
			});
			return true;
		});
		await reload();
		if (added) logger.info('a new signing key was made', { kid: made.kid });
	};

	return {
		signing: async () => {
			const found = (await list()).find((placed) => placed.state === 'SIGNING');
			if (found === undefined) throw new Error('There is no key that signs.');
			return { kid: found.key.kid, privateKey: found.key.privateKey };
		},
		published: async () => ({ keys: (await list()).map((placed) => placed.key.publicJwk) }),
		list,
		rotate: () => addKeyIf((stored) => !stored.some((key) => key.signsFrom > now())),
		maintain: async () => {
			await addKeyIf((stored) => isRotationDue(stored, now(), policy));
			const stored = await keys();
			const needed = new Set(publishedKeys(stored, now(), policy).map((placed) => placed.key.kid));
			const dead = stored.filter((key) => !needed.has(key.kid)).map((key) => key.kid);
			await deleteSigningKeys(db, dead);
			await encryptWithCurrentKey(stored.filter((key) => needed.has(key.kid)));
		},
	};
}
