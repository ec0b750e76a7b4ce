import { concurrentIndexes } from '@paddock/database';

/** Transfers in each order, with what lists filter by: of more than few that match, a page is read along the index alone. */
export const orderedTransfers = concurrentIndexes(
	{
		ownership_transfers_creation_index:
			'ownership_transfers (created_at, id) include (status, expires_at, updated_at)',
		ownership_transfers_change_index:
			'ownership_transfers (updated_at, id) include (status, expires_at, created_at)',
	},
	[],
	['ownership_transfers_created_at_index', 'ownership_transfers_changed_index'],
);
