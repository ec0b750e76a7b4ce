import { SettingsError } from '@paddock/service';
import type { AuthQueryable } from '../database-schema.ts';
import type { SecretBox } from './secret-box.ts';

/**
 * Checks at the start that all encrypted secrets of the database can be read: after the restore of a backup, or with a
 * database of another system, the key may be missing.
 * @throws SettingsError with the ids of the missing keys
 */
export async function requireEncryptionKeys(db: AuthQueryable, secrets: SecretBox): Promise<void> {
	const rows = await db
		.selectFrom('signingKeys')
		.select('privateKey as stored')
		.unionAll(db.selectFrom('totpAuthenticators').select('secret as stored'))
		.execute();
	const unreadable = rows.flatMap(({ stored }) => secrets.unknownKeyOf(stored) ?? []);
	if (unreadable.length === 0) return;
	const ids = [...new Set(unreadable)].sort().join(', ');
	const rule = `must contain the key with the id ${ids}, which encrypts ${unreadable.length} secrets of the database. A restored backup needs the key of the system that it is from; docs/how-to.md#key-encryption-key has the steps if the key is lost`;
	throw new SettingsError([{ name: 'KEY_ENCRYPTION_KEY', rule }]);
}
