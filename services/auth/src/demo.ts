import { SettingsError } from '@paddock/service';
import type { AuthDatabase, AuthQueryable } from './auth-database.ts';
import { type DemoUser, demoPassword, demoUsers } from './demo-users.ts';
import type { PasswordHash } from './passwords/password-hash.ts';
import { searchTextOf } from './users/search-text.ts';

/** Makes those that are missing; what was changed about the others stays. */
export async function ensureDemoUsers(
	db: AuthDatabase,
	deps: { readonly passwordHash: PasswordHash; readonly now: () => Date },
): Promise<void> {
	const present = await db.selectFrom('users').select('email').where('email', 'in', emails).execute();
	const missing = demoUsers.filter((user) => !present.some((row) => row.email === user.email));
	for (const user of missing)
		await insertDemoUser(db, user, await deps.passwordHash.hash(demoPassword), deps.now());
}

const emails = demoUsers.map((user) => user.email);

// Not `insertUser`: another instance may make the same one at the same time, and that is no failure here.
async function insertDemoUser(
	db: AuthQueryable,
	user: DemoUser,
	passwordHash: string,
	at: Date,
): Promise<void> {
	await db
		.insertInto('users')
		.values({
			email: user.email,
			password_hash: passwordHash,
			first_name: user.firstName,
			last_name: user.lastName,
			phone_number: null,
			locale: 'de-AT',
			roles: [...user.roles],
			role_scopes: '{}',
			member_id: null,
			status: 'ACTIVE',
			search_text: searchTextOf(user),
			is_demo: true,
			last_login_at: null,
			password_changed_at: at,
			created_at: at,
			updated_at: at,
		})
		.onConflict((conflict) => conflict.column('email').doNothing())
		.execute();
}

/** @throws SettingsError when the database of a production system holds accounts whose password everybody knows. */
export async function refuseDemoUsers(db: AuthQueryable): Promise<void> {
	const row = await db.selectFrom('users').select('id').where('is_demo', '=', true).executeTakeFirst();
	if (row === undefined) return;
	throw new SettingsError(
		'The settings are not usable:\n  DATABASE_URL: the database holds demo accounts, which NODE_ENV=production refuses; remove them',
	);
}
