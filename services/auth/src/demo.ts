import { inTransaction, type SeedSet } from '@paddock/database';
import { type DemoSignIn, demoPassword, demoSignIns } from '@paddock/demo';
import { accountSubject } from '@paddock/identity';
import { SettingsError } from '@paddock/service';
import type { AuthDatabase, AuthQueryable, AuthSchema } from './database-schema.ts';
import type { PasswordHash } from './passwords/password-hash.ts';
import { insertRevocations } from './revocations/store.ts';
import { hasAdministrator, lockAdministrators } from './users/rules.ts';
import { searchTextOf } from './users/store.ts';

/**
 * Demo accounts, inserted once if DEMO=on. The seed mark remains after their removal, so that they are not inserted
 * again.
 */
export function demoUsers(deps: {
	readonly passwordHash: PasswordHash;
	readonly now: () => Date;
}): SeedSet<AuthSchema> {
	return {
		name: 'demo-users-1',
		insert: async (db) => {
			for (const user of demoSignIns)
				await insertDemoUser(db, user, await deps.passwordHash.hash(demoPassword), deps.now());
		},
	};
}

// Not `insertUser`: an existing account with this address or member must stay unchanged.
async function insertDemoUser(
	db: AuthQueryable,
	user: DemoSignIn,
	passwordHash: string,
	at: Date,
): Promise<void> {
	await db
		.insertInto('users')
		.values({
			...user,
			passwordHash,
			locale: 'de-AT',
			status: 'ACTIVE',
			searchText: searchTextOf(user),
			isDemo: true,
			passwordChangedAt: at,
			emailVerifiedAt: at,
			createdAt: at,
			updatedAt: at,
		})
		.onConflict((conflict) => conflict.doNothing())
		.execute();
}

interface RemovedDemo {
	/** Number of removed accounts. */
	readonly removed: number;
	/** Set if no administrator is left. */
	readonly note?: string;
}

/**
 * Removes the demo accounts with their sessions and revokes their access tokens. A demo administrator is removed even
 * if no other administrator exists: its password is public, and the next start creates the first administrator from the
 * settings.
 */
export async function removeDemo(db: AuthDatabase, at: Date = new Date()): Promise<RemovedDemo> {
	return await inTransaction(db, async (transaction) => {
		await lockAdministrators(transaction);
		const removed = await transaction
			.deleteFrom('users')
			.where('isDemo', '=', true)
			.returning(['id', 'version'])
			.execute();
		const administratorLeft = await hasAdministrator(transaction);
		const revocations = removed.map(({ id, version }) => ({
			subject: accountSubject(id),
			before: version + 1,
		}));
		await insertRevocations(transaction, revocations, at);
		const note =
			'no account is an administrator now: the next start makes one with ADMIN_EMAIL and ADMIN_PASSWORD';
		return { removed: removed.length, ...(administratorLeft ? {} : { note }) };
	});
}

/** @throws SettingsError if a production database contains demo accounts, whose password is public. */
export async function refuseDemoUsers(db: AuthQueryable): Promise<void> {
	const row = await db.selectFrom('users').select('id').where('isDemo', '=', true).executeTakeFirst();
	if (row === undefined) return;
	const rule = 'the database holds demo accounts, which NODE_ENV=production refuses; remove them';
	throw new SettingsError([{ name: 'DATABASE_URL', rule }]);
}
