import { concurrentIndexes } from '@paddock/database';

/** Accounts of one first name, up to 10,000, are sorted by the other sort fields from the index alone: each is on another page of the table. */
export const tiedAccounts = concurrentIndexes(
	{
		users_first_name_order_index: `users (first_name collate "und-x-icu", id)
			include (last_name, email, status, created_at, updated_at, last_login_at)`,
	},
	[],
	['users_first_name_index'],
);
