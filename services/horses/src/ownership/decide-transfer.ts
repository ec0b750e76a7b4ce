import { apiError } from '@paddock/contract';
import { type Database, inTransaction } from '@paddock/database';
import { actedFor, actingMember, actsFor, isOfficer, type Principal } from '@paddock/identity';
import { type Call, requireVersion } from '@paddock/service';
import type { HorsesQueryable, HorsesSchema } from '../database-schema.ts';
import type { HorsesDeps } from '../deps.ts';
import { horsesError } from '../errors.ts';
import { type HorseTies, isEntrusted, noteActing } from '../horses/rules.ts';
import type { Horse } from '../horses/schemas.ts';
import { getHorse, lockHorse } from '../horses/store.ts';
import { checkReferences, referencesOfOwners } from '../peers/check-references.ts';
import { tellDeclined } from './transfer-mails.ts';
import { completeTransfer } from './transfer-ownership.ts';
import type { OwnershipTransfer, TransferIds } from './transfer-schemas.ts';
import { confirmFor, endTransfer, findTransfer } from './transfer-store.ts';

interface TransferCall extends Call {
	readonly params: TransferIds;
}

/**
 * The last missing confirmation completes the transfer, and so does one by the office. Other contexts are called before the
 * transaction; all other checks run again under the lock on the horse. A repeated confirmation succeeds regardless of If-Match
 * (RFC 9110 §13.1.1). @throws ApiError, see the route; errors of peer calls.
 */
export async function confirmTransfer(call: TransferCall, deps: HorsesDeps): Promise<OwnershipTransfer> {
	const { principal, now } = call;
	const before = await readTransfer(call, deps);
	requireMayConfirm(principal, before);
	noteActing(principal, confirmersActedFor(principal, before));
	const { errors, members } = await checkReferences(referencesOfOwners(before.owners), call, deps);
	const { jobs } = deps;
	return decide(call, deps.db, {
		isDone: (transfer) => hasConfirmed(call, transfer),
		effect: async (db, horse, { id, from, owners, ...transfer }) => {
			if (errors.length > 0) throw horsesError('NEW_OWNER_UNKNOWN', { errors });
			const confirming = confirmersActedFor(principal, transfer);
			const missing =
				confirming.length > 0 ? await confirmFor(db, id, confirming, now) : transfer.confirmations.length;
			if (missing > 0 && !isOfficer(principal)) return;
			// Must precede the change of owners, which ends all pending transfers.
			await endTransfer(db, id, 'COMPLETED', { memberId: actingMember(principal, confirming), now });
			await completeTransfer({ db, jobs, principal }, horse, { from, owners, members }, now);
		},
	});
}

export async function declineTransfer(call: TransferCall, deps: HorsesDeps): Promise<OwnershipTransfer> {
	const { principal, now } = call;
	const before = await readTransfer(call, deps);
	requireMayDecline(principal, before);
	noteActing(principal, confirmersActedFor(principal, before));
	return decide(call, deps.db, {
		isDone: ({ status }) => status === 'DECLINED',
		effect: async (db, horse, transfer) => {
			const owners = transfer.confirmations.map(({ memberId }) => memberId);
			await endTransfer(db, transfer.id, 'DECLINED', { memberId: actingMember(principal, owners), now });
			await tellDeclined({ db, jobs: deps.jobs, principal }, horse, transfer);
		},
	});
}

interface Decision {
	readonly isDone: (transfer: OwnershipTransfer) => boolean;
	readonly effect: (db: HorsesQueryable, horse: Horse, transfer: OwnershipTransfer) => Promise<void>;
}

/** Decides on a pending transfer under the lock on the horse, like every change of its owners. */
function decide(
	call: TransferCall,
	database: Database<HorsesSchema>,
	{ isDone, effect }: Decision,
): Promise<OwnershipTransfer> {
	return inTransaction(database, async (db) => {
		const { horse } = await lockHorse(db, call.params.id, call.principal);
		const transfer = await getVisibleTransfer(db, horse, call);
		if (isDone(transfer)) return transfer;
		requireVersion(call.preconditions, transfer.version);
		if (transfer.status !== 'PENDING')
			throw horsesError('TRANSFER_NOT_PENDING', { context: { transferStatus: transfer.status } });
		await effect(db, horse, transfer);
		return getVisibleTransfer(db, horse, call);
	});
}

/** @throws ApiError NOT_FOUND */
export async function readTransfer(call: TransferCall, { db }: Pick<HorsesDeps, 'db'>) {
	return getVisibleTransfer(db, await getHorse(db, call.params.id, call.principal), call);
}

function hasConfirmed({ principal }: Call, { status, confirmations }: OwnershipTransfer): boolean {
	if (status === 'COMPLETED' && isOfficer(principal)) return true;
	if (status !== 'COMPLETED' && (status !== 'PENDING' || isOfficer(principal))) return false;
	const own = confirmations.filter(({ memberId }) => actsFor(principal, memberId));
	return own.length > 0 && own.every(({ confirmedAt }) => confirmedAt !== null);
}

/** The owners who must confirm the transfer and whom the caller acts for. */
function confirmersActedFor(
	principal: Principal,
	{ confirmations }: Pick<OwnershipTransfer, 'confirmations'>,
): readonly string[] {
	const owners = confirmations.map(({ memberId }) => memberId);
	return actedFor(principal, owners);
}

const mustConfirm = (principal: Principal, transfer: OwnershipTransfer) =>
	confirmersActedFor(principal, transfer).length > 0;

/** Whether the caller is entrusted with the horse, must confirm the transfer, is a new owner or requested it. */
function concerns(principal: Principal, transfer: OwnershipTransfer, horse: HorseTies): boolean {
	const { userId } = principal;
	if (isEntrusted(principal, horse) || mustConfirm(principal, transfer)) return true;
	const { owners, requestedBy } = transfer;
	if (requestedBy === userId) return true;
	return owners.some((owner) => actsFor(principal, owner.memberId));
}

/** @throws ApiError NOT_FOUND, the same for an unknown transfer as for one that does not concern the caller. */
async function getVisibleTransfer(
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
function requireMayConfirm(principal: Principal, transfer: OwnershipTransfer): void {
	if (isOfficer(principal) || mustConfirm(principal, transfer)) return;
	throw apiError('OUT_OF_SCOPE', {
		message: 'The horse’s owners and the federation’s office confirm a transfer.',
	});
}

/** @throws ApiError OUT_OF_SCOPE unless the caller is an owner who must confirm, the requester or an officer. */
function requireMayDecline(principal: Principal, transfer: OwnershipTransfer): void {
	if (transfer.requestedBy === principal.userId) return;
	requireMayConfirm(principal, transfer);
}
