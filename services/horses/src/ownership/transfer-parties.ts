import { apiError } from '@paddock/contract';
import { isOfficer, type Principal } from '@paddock/identity';
import type { Call } from '@paddock/service';
import type { HorsesQueryable } from '../database-schema.ts';
import { type HorseTies, isEntrusted } from '../horses/access.ts';
import type { OwnershipTransfer, TransferIds } from './transfer-schemas.ts';
import { findTransfer } from './transfer-store.ts';

/** Whether the caller is one of the owners who must confirm the transfer. */
export function mustConfirm(
	{ memberId }: Principal,
	{ confirmations }: Pick<OwnershipTransfer, 'confirmations'>,
): boolean {
	return memberId !== undefined && confirmations.some((one) => one.memberId === memberId);
}

/**
 * Whether the caller is an officer, is entrusted with the horse, must confirm the transfer, is a new owner or requested
 * it.
 */
function concerns(principal: Principal, transfer: OwnershipTransfer, horse: HorseTies): boolean {
	const { memberId, userId } = principal;
	if (isEntrusted(principal, horse) || mustConfirm(principal, transfer)) return true;
	const { owners, requestedBy } = transfer;
	if (requestedBy === userId) return true;
	return memberId !== undefined && owners.some((owner) => owner.memberId === memberId);
}

/** @throws ApiError NOT_FOUND, the same for an unknown transfer as for one that does not concern the caller. */
export async function getVisibleTransfer(
	db: HorsesQueryable,
	horse: HorseTies,
	{ params, principal, now }: Pick<Call, 'principal' | 'now'> & { readonly params: TransferIds },
): Promise<OwnershipTransfer> {
	const transfer = await findTransfer(db, params, now);
	if (transfer === undefined || !concerns(principal, transfer, horse))
		throw apiError('NOT_FOUND', { message: 'The horse has no such transfer.' });
	return transfer;
}

/** @throws ApiError OUT_OF_SCOPE unless the caller is an owner who must confirm, or an officer. */
export function requireMayConfirm(principal: Principal, transfer: OwnershipTransfer): void {
	if (isOfficer(principal) || mustConfirm(principal, transfer)) return;
	throw apiError('OUT_OF_SCOPE', {
		message: 'The horse’s owners and the federation’s office confirm a transfer.',
	});
}

/** @throws ApiError OUT_OF_SCOPE unless the caller is an owner who must confirm, the requester or an officer. */
export function requireMayDecline(principal: Principal, transfer: OwnershipTransfer): void {
	if (transfer.requestedBy === principal.userId) return;
	requireMayConfirm(principal, transfer);
}
