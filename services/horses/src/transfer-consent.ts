import type { Principal } from '@paddock/identity';
import { horsesError } from './errors.ts';
import { isOfficer } from './horse-access.ts';
import type { Owner } from './schemas/owner.ts';

/** Time limit for the confirmation of a transfer. */
export const transferLifetimeMs = 14 * 24 * 60 * 60_000;

/**
 * The current owners who must confirm a transfer that the caller requests. Empty = effective at once: for officers and
 * for a sole owner. Other callers who are entrusted with the horse (co-owners, the responsible person, officials of its
 * club) may request a transfer, which every owner must confirm.
 * @throws ApiError TRANSFER_BY_OFFICE_ONLY if an owner has no account to confirm with.
 */
export function ownersToConfirm(principal: Principal, owners: readonly Owner[]): readonly string[] {
	if (isOfficer(principal)) return [];
	const memberIds = owners.map(({ memberId }) => memberId).filter((memberId) => memberId !== null);
	if (memberIds.length < owners.length) throw horsesError('TRANSFER_BY_OFFICE_ONLY');
	return memberIds.length === 1 && memberIds[0] === principal.memberId ? [] : memberIds;
}
