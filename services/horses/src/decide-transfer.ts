import { inTransaction } from '@paddock/database';
import { requireVersion } from '@paddock/service';
import { requireActiveMember } from './acting-member.ts';
import { callContextOf } from './call-context-of.ts';
import type { HorsesQueryable } from './database-schema.ts';
import type { Call, HorsesDeps } from './deps.ts';
import { horsesError } from './errors.ts';
import { isOfficer } from './horse-access.ts';
import type { KnownMember } from './references/member-directory.ts';
import { referencesOfOwners } from './references/references-of.ts';
import { completeHorse, getVisibleHorse, lockVisibleHorse } from './repository/horses.ts';
import { confirmFor, endTransfer } from './repository/transfers.ts';
import type { Horse } from './schemas/horse.ts';
import type { OwnershipTransfer } from './schemas/ownership-transfer.ts';
import { completeTransfer } from './transfer-ownership.ts';
import { getVisibleTransfer, mustConfirm, requireMayConfirm, requireMayDecline } from './transfer-parties.ts';

interface TransferIds {
	readonly id: string;
	readonly transferId: string;
}

/**
 * Confirms a transfer for one owner; the last missing confirmation completes it, and so does a confirmation by the
 * office. Other contexts are called before the transaction; all other checks run again under the lock on the horse. A
 * repeated confirmation succeeds regardless of If-Match (RFC 9110 §13.1.1).
 * @throws ApiError NOT_FOUND, OUT_OF_SCOPE, MEMBER_NOT_ACTIVE, PRECONDITION_FAILED, TRANSFER_NOT_PENDING,
 * NEW_OWNER_UNKNOWN, HORSE_REMOVED, OWNERSHIP_NOT_AFTER_PREVIOUS, OWNERSHIP_AFTER_DEATH; errors of peer calls.
 */
export async function confirmTransfer(
	ids: TransferIds,
	call: Call,
	deps: HorsesDeps,
): Promise<OwnershipTransfer> {
	const { principal } = call;
	const { transfer: before } = await readTransfer(deps.db, ids, call);
	requireMayConfirm(principal, before);
	await requireActiveMember(principal, callContextOf(call), deps);
	const { errors, members } = await deps.references.check(
		referencesOfOwners(before.owners),
		callContextOf(call),
	);
	return inTransaction(deps.db, async (transaction) => {
		const { horse, transfer } = await lockTransfer(transaction, ids, call);
		if (hasConfirmed(call, transfer)) return transfer;
		requireVersion(call.ifMatch, transfer.version);
		requirePending(transfer);
		if (errors.length > 0) throw horsesError('NEW_OWNER_UNKNOWN', { errors });
		await storeConfirmation(transaction, { horse, transfer, members }, call);
		return getVisibleTransfer(transaction, ids, horse, call);
	});
}

/** @throws ApiError as `confirmTransfer`, except errors about the new owners. */
export async function declineTransfer(
	ids: TransferIds,
	call: Call,
	deps: HorsesDeps,
): Promise<OwnershipTransfer> {
	const { principal, now } = call;
	const { transfer: before } = await readTransfer(deps.db, ids, call);
	requireMayDecline(principal, before);
	await requireActiveMember(principal, callContextOf(call), deps);
	return inTransaction(deps.db, async (transaction) => {
		const { horse, transfer } = await lockTransfer(transaction, ids, call);
		if (transfer.status === 'DECLINED') return transfer;
		requireVersion(call.ifMatch, transfer.version);
		requirePending(transfer);
		await endTransfer(transaction, transfer.id, 'DECLINED', { memberId: principal.memberId, now });
		return getVisibleTransfer(transaction, ids, horse, call);
	});
}

interface Confirmed {
	readonly horse: Horse;
	readonly transfer: OwnershipTransfer;
	readonly members: ReadonlyMap<string, KnownMember>;
}

async function storeConfirmation(
	db: HorsesQueryable,
	{ horse, transfer, members }: Confirmed,
	{ principal, now }: Call,
): Promise<void> {
	const { memberId } = principal;
	const isOwner = memberId !== undefined && mustConfirm(principal, transfer);
	const missing = isOwner ? await confirmFor(db, transfer.id, memberId, now) : transfer.confirmations.length;
	if (missing > 0 && !isOfficer(principal)) return;
	// Must precede the change of owners, which ends all pending transfers.
	await endTransfer(db, transfer.id, 'COMPLETED', { memberId, now });
	await completeTransfer(db, horse, { from: transfer.from, owners: transfer.owners, members }, now);
}

async function readTransfer(db: HorsesQueryable, ids: TransferIds, call: Call) {
	const horse = await completeHorse(db, await getVisibleHorse(db, ids.id, call.principal));
	return { horse, transfer: await getVisibleTransfer(db, ids, horse, call) };
}

/** Locks the horse, like every change of its owners. */
async function lockTransfer(db: HorsesQueryable, ids: TransferIds, call: Call) {
	const horse = await completeHorse(db, await lockVisibleHorse(db, ids.id, call.principal));
	return { horse, transfer: await getVisibleTransfer(db, ids, horse, call) };
}

function hasConfirmed({ principal }: Call, { status, confirmations }: OwnershipTransfer): boolean {
	if (status === 'COMPLETED' && isOfficer(principal)) return true;
	if (status !== 'COMPLETED' && (status !== 'PENDING' || isOfficer(principal))) return false;
	return confirmations.some(
		({ memberId, confirmedAt }) => memberId === principal.memberId && confirmedAt !== null,
	);
}

function requirePending({ status }: OwnershipTransfer): void {
	if (status !== 'PENDING')
		throw horsesError('TRANSFER_NOT_PENDING', { context: { transferStatus: status } });
}
