import { concurrentIndexes } from '@paddock/database';

/** For the reminders of transfers that expire. */
export const transferExpiries = concurrentIndexes({
	ownership_transfers_expiry_index: `ownership_transfers (expires_at) where status in ('PENDING', 'EXPIRED')`,
});
