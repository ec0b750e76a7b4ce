import { queryOnce } from '@paddock/database/embedded';
import { demoPassword, demoSignIns as users } from '@paddock/demo';

export interface DemoSignIns {
	password: string;
	users: readonly { email: string; roles: readonly string[] }[];
}

/** The accounts that the auth service creates with DEMO=on. */
export const demoSignIns: DemoSignIns = { password: demoPassword, users };

// The password is unchanged since the account was created.
const usable = `
	select email from users
	where is_demo and status = 'ACTIVE' and password_changed_at = created_at`;

/**
 * The demo sign-ins that still work, from auth's database: an attempt to sign in would be counted, and throttled as a
 * failed one after the accounts were removed. Undefined if there are none; all of them if the database can't be read,
 * because the system is up and must not be stopped for its banner.
 */
export async function existingSignIns(databaseUrl: string): Promise<DemoSignIns | undefined> {
	const rows = await queryOnce<{ email: string }>(databaseUrl, usable).catch(() => undefined);
	if (rows === undefined) return demoSignIns;
	const emails = new Set(rows.map(({ email }) => email));
	const existing = users.filter(({ email }) => emails.has(email));
	return existing.length === 0 ? undefined : { ...demoSignIns, users: existing };
}
