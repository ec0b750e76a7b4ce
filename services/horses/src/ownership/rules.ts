import type { ApiError, FieldError } from '@paddock/contract';
import { actedFor, isOfficer, type Principal } from '@paddock/identity';
import { horsesError } from '../errors.ts';
import type { Owner } from './owner-schemas.ts';

interface TransferBase {
	/** First day of the period that the transfer would end, `YYYY-MM-DD`. */
	readonly previousFrom: string;
	readonly dateOfDeath: string | null;
}

/** Errors of the first day: it must not be in the future, because a future transfer could still be called off. */
export function transferDayErrors(from: string, today: string): FieldError[] {
	return from > today
		? [{ field: 'from', code: 'INVALID_RANGE', message: 'must not lie in the future' }]
		: [];
}

/** Periods are only appended, and the first one does not begin before the birth, so the birth needs no check. */
export function transferProblem(from: string, base: TransferBase): ApiError | undefined {
	if (from <= base.previousFrom)
		return horsesError('OWNERSHIP_NOT_AFTER_PREVIOUS', { context: { previousFrom: base.previousFrom } });
	if (base.dateOfDeath !== null && from > base.dateOfDeath)
		return horsesError('OWNERSHIP_AFTER_DEATH', { context: { dateOfDeath: base.dateOfDeath } });
	return undefined;
}

export const transferLifetimeMs = 14 * 24 * 60 * 60_000;

/**
 * Empty = effective at once: for officers and a caller who acts for each owner. Others who are entrusted with the horse request a
 * transfer that every owner must confirm. @throws ApiError TRANSFER_BY_OFFICE_ONLY if an owner has no account to confirm with.
 */
export function ownersToConfirm(principal: Principal, owners: readonly Owner[]): readonly string[] {
	if (isOfficer(principal)) return [];
	const memberIds = owners.map(({ memberId }) => memberId).filter((memberId) => memberId !== null);
	if (memberIds.length < owners.length) throw horsesError('TRANSFER_BY_OFFICE_ONLY');
	return actedFor(principal, memberIds).length === memberIds.length ? [] : memberIds;
}
