import { concurrentIndexes } from '@paddock/database';

export const transferChanges = concurrentIndexes({
	ownership_transfers_changed_index: 'ownership_transfers (updated_at, id)',
});
