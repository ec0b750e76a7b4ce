import { inTransaction } from '@paddock/database';
import { isOfficer } from '@paddock/identity';
import { type RecordCall, requireVersion } from '@paddock/service';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { HorsesDeps } from '../deps.ts';
import { horsesError } from '../errors.ts';
import { requireEntrusted } from './rules.ts';
import type { Horse } from './schemas.ts';
import { getHorse, type HorseChange, lockHorse, updateHorse } from './store.ts';

type Decide = (db: HorsesQueryable, row: HorseRow, horse: Horse) => Promise<HorseChange>;

/** The right of the caller is checked before the transaction, and again on the locked row. @throws ApiError, see the routes. */
export async function changeHorse(
	call: RecordCall,
	deps: Pick<HorsesDeps, 'db' | 'directory'>,
	decide: Decide,
	requireRight = requireEntrusted,
): Promise<Horse> {
	const { principal, now } = call;
	const { id } = call.params;
	if (!isOfficer(principal)) requireEntrusted(principal, await getHorse(deps.db, id, principal));
	return inTransaction(deps.db, async (transaction) => {
		const { row, horse } = await lockHorse(transaction, id, principal);
		requireRight(principal, horse);
		requireVersion(call.preconditions, row.version);
		return updateHorse(transaction, id, await decide(transaction, row, horse), now);
	});
}

/** The update of responsible person for a locked horse that is restored. @throws ApiError OWNER_NOT_MEMBER */
type ReturningTies = (horse: Pick<Horse, 'owners' | 'responsibleMemberId'>) => HorseChange;

/**
 * Owners and responsible person of a horse that returns may have left the federation: a former member as owner must be corrected
 * first, a responsible person who has left is cleared. @throws ApiError NOT_FOUND; errors of peer calls.
 */
export async function tiesOfReturning(
	call: RecordCall,
	{ db, directory }: Pick<HorsesDeps, 'db' | 'directory'>,
): Promise<ReturningTies> {
	const before = await getHorse(db, call.params.id, call.principal);
	const ids = [...before.owners.map(({ memberId }) => memberId), before.responsibleMemberId];
	const members = await directory.members(
		ids.filter((memberId) => memberId !== null),
		call,
	);
	const hasLeft = (memberId: string | null): memberId is string =>
		memberId !== null && (members.get(memberId)?.status ?? 'INACTIVE') === 'INACTIVE';
	return ({ owners, responsibleMemberId }) => {
		const memberIds = owners.map(({ memberId }) => memberId).filter(hasLeft);
		if (memberIds.length > 0) throw horsesError('OWNER_NOT_MEMBER', { context: { memberIds } });
		return hasLeft(responsibleMemberId) ? { responsibleMemberId: null } : {};
	};
}
