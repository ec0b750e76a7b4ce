import { inTransaction } from '@paddock/database';
import { isOfficer, requireActingMember } from '@paddock/identity';
import { type RecordCall, requireVersion } from '@paddock/service';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { HorsesDeps } from '../deps.ts';
import { requireEntrusted } from './rules.ts';
import type { Horse } from './schemas.ts';
import { getHorse, type HorseChange, lockHorse, updateHorse } from './store.ts';

/** Decides on the change of a locked horse. */
type Decide = (db: HorsesQueryable, row: HorseRow, horse: Horse) => Promise<HorseChange>;

/**
 * Changes a horse on behalf of the caller. The right of the caller is checked before the transaction, as is the
 * membership, and again on the locked row.
 * @throws ApiError NOT_FOUND, OUT_OF_SCOPE, MEMBER_NOT_ACTIVE, PRECONDITION_FAILED; errors of `decide` and of peer
 * calls.
 */
export async function changeHorse(
	call: RecordCall,
	deps: Pick<HorsesDeps, 'db' | 'directory'>,
	decide: Decide,
	requireRight = requireEntrusted,
): Promise<Horse> {
	const { principal, now } = call;
	const { id } = call.params;
	if (!isOfficer(principal)) {
		requireEntrusted(principal, await getHorse(deps.db, id, principal));
		await requireActingMember(call, deps.directory.members);
	}
	return inTransaction(deps.db, async (transaction) => {
		const { row, horse } = await lockHorse(transaction, id, principal);
		requireRight(principal, horse);
		requireVersion(call.preconditions, row.version);
		return updateHorse(transaction, id, await decide(transaction, row, horse), now);
	});
}
