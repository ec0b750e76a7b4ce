import type { RecordCall } from '@paddock/service';
import type { HorsesDeps } from '../deps.ts';
import { horsesError } from '../errors.ts';
import type { Horse } from './schemas.ts';
import { getHorse, type HorseChange } from './store.ts';

/** The update of responsible person for a locked horse that is restored. @throws ApiError OWNER_NOT_MEMBER */
type ReturningTies = (horse: Pick<Horse, 'owners' | 'responsibleMemberId'>) => HorseChange;

/**
 * Looks up owners and responsible person of a horse to restore, or whose death is to be undone. Removed and deceased
 * horses do not block the deletion of a member, so either may have left since: a former member as owner must be
 * corrected first; a responsible person who has left is cleared.
 * @throws ApiError NOT_FOUND; errors of peer calls.
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
