import { dayInVienna } from '@paddock/calendar';
import { apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { requireVersion } from '@paddock/service';
import { admitToHorse } from './acting-member.ts';
import { callContextOf } from './call-context-of.ts';
import type { HorseRow } from './database-schema.ts';
import type { Call, HorsesDeps } from './deps.ts';
import { horsesError } from './errors.ts';
import { requireDecidingAlone, requireEntrusted } from './horse-rules.ts';
import { earlierStatusOf, isFeeOverdue, isFeePaid, type StatusStep, statusAfter } from './horse-status.ts';
import {
	completeHorse,
	getVisibleHorse,
	type HorseChange,
	lockVisibleHorse,
	updateHorse,
} from './repository/horses.ts';
import { tiesOfReturning } from './returning-horse.ts';
import type { Horse } from './schemas/horse.ts';

/** A status step; steps about the horse's death have functions of their own. */
export type StatusChange =
	| { readonly step: Exclude<StatusStep, 'suspend' | 'decease' | 'undoDeath'> }
	| { readonly step: 'suspend'; readonly reason: string };

/**
 * Applies one status step.
 * @throws ApiError NOT_FOUND, OUT_OF_SCOPE, MEMBER_NOT_ACTIVE, PRECONDITION_FAILED, ILLEGAL_STATE_TRANSITION,
 * FEE_NOT_OVERDUE, FEE_UNPAID, OWNER_NOT_MEMBER; errors of peer calls.
 */
export async function changeStatus(
	id: string,
	change: StatusChange,
	call: Call,
	deps: Pick<HorsesDeps, 'db' | 'directory'>,
): Promise<Horse> {
	const { db } = deps;
	await admitToHorse(id, call, deps);
	const returning = change.step === 'restore' ? await tiesOfReturning(id, call, deps) : undefined;
	return inTransaction(db, async (transaction) => {
		const row = await lockVisibleHorse(transaction, id, call.principal);
		const horse = await completeHorse(transaction, row);
		if (change.step === 'retire') requireDecidingAlone(call.principal, horse);
		else requireEntrusted(call.principal, horse);
		requireVersion(call.ifMatch, row.version);
		checkStep(row, change, dayInVienna(call.now));
		const columns = { ...columnsAfter(row, change), ...returning?.(horse) };
		const updated = await updateHorse(transaction, id, columns, call.now);
		return completeHorse(transaction, updated);
	});
}

/**
 * Soft-deletes a horse, unless the events context reports open entries for future events. Idempotent. An entry that is
 * created concurrently may have read the horse before, as no transaction spans the two contexts; the entry keeps its
 * copy of the horse, and the horse can be restored.
 * @throws ApiError as `changeStatus`, HORSE_HAS_OPEN_ENTRIES; errors of peer calls.
 */
export async function removeHorse(id: string, call: Call, deps: HorsesDeps): Promise<Horse> {
	const { db, openEntries } = deps;
	const row = await getVisibleHorse(db, id, call.principal);
	// RFC 9110 §13.1.1: a change that is already applied may be confirmed regardless of If-Match.
	if (row.status === 'INACTIVE') return completeHorse(db, row);
	requireVersion(call.ifMatch, row.version);
	statusAfter('remove', row.status, earlierStatusOf(row));
	const authorization = call.headers['authorization'];
	if (typeof authorization !== 'string') throw apiError('UNAUTHENTICATED');
	if (await openEntries?.hasAny(id, authorization, callContextOf(call)))
		throw horsesError('HORSE_HAS_OPEN_ENTRIES');
	return inTransaction(db, async (transaction) => {
		const locked = await lockVisibleHorse(transaction, id, call.principal);
		if (locked.status === 'INACTIVE') return completeHorse(transaction, locked);
		requireVersion(call.ifMatch, locked.version);
		const columns = columnsAfter(locked, { step: 'remove' });
		return completeHorse(transaction, await updateHorse(transaction, id, columns, call.now));
	});
}

function checkStep(row: HorseRow, change: StatusChange, today: string): void {
	statusAfter(change.step, row.status, earlierStatusOf(row));
	const fee = { feePaidForYear: row.fee_paid_for_year, registeredOn: row.registered_on };
	if (change.step === 'lapse' && !isFeeOverdue(fee, today))
		throw horsesError('FEE_NOT_OVERDUE', { context: { feePaidForYear: fee.feePaidForYear } });
	if (change.step === 'reinstate' && row.status === 'LAPSED' && !isFeePaid(fee, today))
		throw horsesError('FEE_UNPAID', { context: { feePaidForYear: fee.feePaidForYear } });
}

function columnsAfter(row: HorseRow, change: StatusChange): HorseChange {
	const status = statusAfter(change.step, row.status, earlierStatusOf(row));
	const kept = { status, removed_status: null, removed_status_reason: null };
	switch (change.step) {
		case 'suspend':
			return { ...kept, status_reason: change.reason };
		case 'lapse':
			return { ...kept, status_reason: 'FEE_UNPAID' };
		case 'remove':
			return {
				status,
				status_reason: 'DELETED',
				removed_status: row.status,
				removed_status_reason: row.status_reason,
			};
		case 'restore':
			return { ...kept, status_reason: row.removed_status_reason };
		default:
			return { ...kept, status_reason: null };
	}
}
