import { concurrentIndexes } from '@paddock/database';

/** Lists by role, in any order, are read from the index alone; accounts of members are not in it. */
export const filteredAccounts = concurrentIndexes({
	users_with_roles_index: `users (
		last_name collate "und-x-icu", first_name collate "und-x-icu", id
	) include (roles, status, email, created_at, updated_at, last_login_at) where roles <> '{MEMBER}'`,
});
