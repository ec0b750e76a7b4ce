import { inTransaction } from '@paddock/database';
import { emailAddress, SettingsError } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { AuthSettings } from '../config.ts';
import type { AuthDatabase } from '../database-schema.ts';
import type { PasswordHash } from '../passwords/password-hash.ts';
import { holdsOwnName, newPassword } from '../passwords/password-rules.ts';
import { hasAdministrator, lockAdministrators } from './rules.ts';
import { insertUser, isEmailRegistered } from './store.ts';

const name = { firstName: 'First', lastName: 'Administrator' };

/**
 * Creates the administrator named in the settings unless an active administrator exists.
 * @throws SettingsError if address or password violate the rules, or if the address belongs to an account that is not
 * an active administrator: promoting it would give the role to the first person who registered the address.
 */
export async function ensureFirstAdministrator(
	db: AuthDatabase,
	settings: Pick<AuthSettings, 'ADMIN_EMAIL' | 'ADMIN_PASSWORD' | 'PASSWORD_LENGTH_MIN'>,
	deps: { readonly passwordHash: PasswordHash; readonly now: () => Date; readonly logger: Logger },
): Promise<void> {
	const { ADMIN_EMAIL, ADMIN_PASSWORD } = settings;
	if (ADMIN_EMAIL === undefined || ADMIN_PASSWORD === undefined) return;
	// Checked before the password: stricter rules must not stop an installation that no longer uses the setting.
	if (await hasAdministrator(db)) return;
	const { email, password } = checked(ADMIN_EMAIL, ADMIN_PASSWORD, settings.PASSWORD_LENGTH_MIN);
	const passwordHash = await deps.passwordHash.hash(password);
	await inTransaction(db, async (transaction) => {
		await lockAdministrators(transaction);
		if (await hasAdministrator(transaction)) return;
		if (await isEmailRegistered(transaction, email)) {
			const rule = 'is the address of an account that is not an active administrator';
			throw new SettingsError([{ name: 'ADMIN_EMAIL', rule }]);
		}
		const rights = { roles: ['MEMBER', 'ADMIN'], roleScopes: {}, isDemo: false } as const;
		const at = deps.now();
		const account = {
			...name,
			email,
			passwordHash,
			phoneNumber: null,
			locale: 'de-AT',
			...rights,
			emailVerifiedAt: at,
		};
		const user = await insertUser(transaction, account, at);
		deps.logger.info('the first administrator was made', { userId: user.id });
	});
}

function checked(adminEmail: string, adminPassword: string, lengthMin: number) {
	const email = emailAddress.safeParse(adminEmail);
	const password = newPassword(lengthMin).safeParse(adminPassword);
	const violations = [
		...(email.error?.issues ?? []).map((issue) => ({ name: 'ADMIN_EMAIL', rule: issue.message })),
		...(password.error?.issues ?? []).map((issue) => ({ name: 'ADMIN_PASSWORD', rule: issue.message })),
	];
	if (!email.success || !password.success) throw new SettingsError(violations);
	if (holdsOwnName(password.data, { email: email.data, ...name })) {
		const rule = 'must not contain the e-mail address or the name of the office';
		throw new SettingsError([{ name: 'ADMIN_PASSWORD', rule }]);
	}
	return { email: email.data, password: password.data };
}
