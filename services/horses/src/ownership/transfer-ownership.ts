import { dayInVienna } from '@paddock/calendar';
import { refuseInvalid } from '@paddock/contract';
import { once } from '@paddock/database';
import { actsFor, type Principal, requireActingMember } from '@paddock/identity';
import type { Call, RecordCall } from '@paddock/service';
import type { HorsesQueryable } from '../database-schema.ts';
import type { HorsesDeps } from '../deps.ts';
import { horsesError } from '../errors.ts';
import { requireEntrusted, requireKept } from '../horses/rules.ts';
import type { Horse } from '../horses/schemas.ts';
import { getHorse, lockHorse } from '../horses/store.ts';
import { referencesOfOwners, requireReferences } from '../peers/check-references.ts';
import { handOver, type NewOwners } from './hand-over.ts';
import { ownersToConfirm, transferDayErrors, transferLifetimeMs, transferProblem } from './rules.ts';
import type { Transfer, TransferBody } from './schemas.ts';
import { getPeriodBounds, insertPeriod } from './store.ts';
import { type MailJobs, tellCompleted, tellConfirmationWanted } from './transfer-mails.ts';
import { findPendingTransferId, insertTransferRequest } from './transfer-store.ts';

/** Pending if other owners must confirm it, see `ownersToConfirm`. @throws ApiError, see the route; errors of peer calls. */
export function transferOwnership(call: RecordCall<TransferBody>, deps: HorsesDeps): Promise<Transfer> {
	const { db } = deps;
	const { body, now, principal } = call;
	const { id } = call.params;
	return once(db, call, {
		operationId: 'transferHorse',
		input: { id, ...body },
		// Inside of `once`: a seller, no longer entrusted with the horse, still gets the stored response to a repeated
		// request.
		check: async () => {
			const horse = await getHorse(db, id, principal);
			requireEntrusted(principal, horse);
			requireKept(horse);
			refuseInvalid(transferDayErrors(body.from, dayInVienna(now)));
			const acting = await requireActingMember(call, deps.directory.members);
			return { acting, members: await requireReferences(referencesOfOwners(body.owners), call, deps) };
		},
		effect: async (transaction, { acting, members }) => {
			const { horse } = await lockHorse(transaction, id, principal);
			requireEntrusted(acting.principal, horse);
			return transferLocked(transaction, horse, { body, members, jobs: deps.jobs }, acting);
		},
	});
}

async function transferLocked(
	db: HorsesQueryable,
	horse: Horse,
	{
		body,
		members,
		jobs,
	}: Pick<NewOwners, 'members'> & { readonly body: TransferBody; readonly jobs: MailJobs },
	{ principal, now }: Call,
): Promise<Transfer> {
	const { from, owners } = body;
	const confirmers = ownersToConfirm(principal, horse.owners);
	const result = { horseId: horse.id, from, to: null, owners };
	if (confirmers.length === 0) {
		await completeTransfer({ db, jobs, principal }, horse, { from, owners, members }, now);
		return { ...result, status: 'COMPLETED', transferId: null };
	}
	await requireTransferable(db, horse, from);
	const pendingId = await findPendingTransferId(db, horse.id, now);
	if (pendingId !== undefined) throw horsesError('TRANSFER_PENDING', { context: { transferId: pendingId } });
	const expiresAt = new Date(now.getTime() + transferLifetimeMs);
	const request = { horseId: horse.id, from, owners, confirmers, expiresAt };
	const transferId = await insertTransferRequest(db, request, principal, now);
	const missing = confirmers.filter((memberId) => !actsFor(principal, memberId));
	await tellConfirmationWanted({ db, jobs, principal }, { horse, from, expiresAt, confirmers: missing });
	return { ...result, status: 'PENDING', transferId };
}

/** On the locked horse; tells the owners. @throws ApiError HORSE_INACTIVE and those of `transferProblem`. */
export async function completeTransfer(
	reason: { readonly db: HorsesQueryable; readonly jobs: MailJobs; readonly principal: Principal },
	horse: Horse,
	{ from, owners, members }: NewOwners & { readonly from: string },
	now: Date,
): Promise<void> {
	const { db } = reason;
	await requireTransferable(db, horse, from);
	await insertPeriod(db, horse.id, { from, owners: [...owners] });
	await handOver(db, horse, { owners, members }, now);
	await tellCompleted(reason, horse, { from, owners });
}

async function requireTransferable(db: HorsesQueryable, horse: Horse, from: string): Promise<void> {
	requireKept(horse);
	const { last } = await getPeriodBounds(db, horse.id);
	const problem = transferProblem(from, { previousFrom: last, dateOfDeath: horse.dateOfDeath });
	if (problem !== undefined) throw problem;
}
