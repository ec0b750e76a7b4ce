import type { Principal } from '@paddock/identity';
import { horsesError } from './errors.ts';
import { isOfficer } from './horse-access.ts';
import type { Owner } from './schemas/owner.ts';

/** How long the owners have to confirm a transfer. */
export const transferLifetimeMs = 14 * 24 * 60 * 60_000;

/**
 * The present owners who must confirm a transfer that the caller requests; empty = it takes effect at once. So it is for
 * the office, and for an owner who owns the horse alone. Everyone else who is entrusted with the horse (co-owners, the
 * responsible person, officials of its club) may request a transfer, and every owner decides.
 * @throws ApiError TRANSFER_BY_OFFICE_ONLY where an owner has no account to confirm with.
 */
export function ownersToConfirm(principal: Principal, owners: readonly Owner[]): readonly string[] {
	if (isOfficer(principal)) return [];
	const memberIds = owners.map(({ memberId }) => memberId).filter((memberId) => memberId !== null);
	if (memberIds.length < owners.length) throw horsesError('TRANSFER_BY_OFFICE_ONLY');
	return memberIds.length === 1 && memberIds[0] === principal.memberId ? [] : memberIds;
}
