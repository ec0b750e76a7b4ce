import { dayInVienna } from '@paddock/calendar';
import { ApiError, apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { isOfficer } from '@paddock/identity';
import { type Call, type RecordCall, requireVersion } from '@paddock/service';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { HorsesDeps } from '../deps.ts';
import { horsesError } from '../errors.ts';
import type { DeletedHorses } from './body-schemas.ts';
import { requireDecidingAlone, requireEntrusted } from './rules.ts';
import type { Horse } from './schemas.ts';
import { isFeeOverdue, isFeePaid, type StatusStep, statusAfter } from './status.ts';
import { completeHorse, getHorse, getHorseRow, type HorseChange, lockHorse, updateHorse } from './store.ts';

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

/** The update of responsible person for a locked horse that is restored. @throws ApiError OWNER_NOT_MEMBER; CONFLICT if it has other ties since */
type ReturningTies = (horse: Pick<Horse, 'owners' | 'responsibleMemberId'>) => HorseChange;

/**
 * Owners and responsible person of a horse that returns may have left the federation: a former member as owner must be corrected
 * first, a responsible person who has left is cleared. @throws ApiError NOT_FOUND; errors of peer calls.
 */
export async function tiesOfReturning(
	call: RecordCall,
	{ db, directory }: Pick<HorsesDeps, 'db' | 'directory'>,
): Promise<ReturningTies> {
	const idsOf = ({ owners, responsibleMemberId }: Pick<Horse, 'owners' | 'responsibleMemberId'>) => [
		...owners.map(({ memberId }) => memberId),
		responsibleMemberId,
	];
	const ids = idsOf(await getHorse(db, call.params.id, call.principal));
	const members = await directory.members(
		ids.filter((memberId) => memberId !== null),
		call,
	);
	const hasLeft = (memberId: string | null): memberId is string =>
		memberId !== null && (members.get(memberId)?.status ?? 'INACTIVE') === 'INACTIVE';
	return (locked) => {
		if (idsOf(locked).some((id) => id !== null && !ids.includes(id))) throw apiError('CONFLICT');
		const { owners, responsibleMemberId } = locked;
		const memberIds = owners.map(({ memberId }) => memberId).filter(hasLeft);
		if (memberIds.length > 0) throw horsesError('OWNER_NOT_MEMBER', { context: { memberIds } });
		return hasLeft(responsibleMemberId) ? { responsibleMemberId: null } : {};
	};
}

type StatusChange =
	| { readonly step: Exclude<StatusStep, 'suspend' | 'decease' | 'undoDeath'> }
	| { readonly step: 'suspend'; readonly statusReason: string };

export async function changeStatus(
	change: StatusChange,
	call: RecordCall,
	deps: Pick<HorsesDeps, 'db' | 'directory'>,
): Promise<Horse> {
	const returning = change.step === 'restore' ? await tiesOfReturning(call, deps) : undefined;
	const decide = async (_db: HorsesQueryable, row: HorseRow, horse: Horse) => {
		checkStep(row, change, dayInVienna(call.now));
		return { ...columnsAfter(row, change), ...returning?.(horse) };
	};
	return changeHorse(call, deps, decide, change.step === 'retire' ? requireDecidingAlone : undefined);
}

/** Idempotent. A concurrent entry keeps its copy of the horse. @throws ApiError, see the route; errors of peer calls. */
export async function deleteHorse(id: string, call: Call, deps: HorsesDeps): Promise<Horse> {
	const { db, openEntries } = deps;
	const before = await getHorseRow(db, id, call.principal);
	// RFC 9110 §13.1.1: a change that is already applied may be confirmed regardless of If-Match.
	if (before.status === 'INACTIVE') return completeHorse(db, before);
	requireVersion(call.preconditions, before.version);
	statusAfter('delete', before);
	if (await openEntries?.hasAny({ horseId: id }, call)) throw horsesError('HORSE_HAS_OPEN_ENTRIES');
	return inTransaction(db, async (transaction) => {
		const { row, horse } = await lockHorse(transaction, id, call.principal);
		if (row.status === 'INACTIVE') return horse;
		requireVersion(call.preconditions, row.version);
		return updateHorse(transaction, id, columnsAfter(row, { step: 'delete' }), call.now);
	});
}

/** One by one. A failure of a peer ends the request; a repeated one continues. @throws ApiError, errors of peer calls. */
export async function deleteHorses(
	ids: readonly string[],
	call: Call,
	deps: HorsesDeps,
): Promise<DeletedHorses> {
	const deleted: string[] = [];
	const refused: DeletedHorses['refused'] = [];
	for (const id of ids) {
		try {
			await deleteHorse(id, call, deps);
			deleted.push(id);
		} catch (error) {
			if (!(error instanceof ApiError) || error.status >= 500) throw error;
			refused.push({ id, code: error.code, message: error.message });
		}
	}
	return { deleted, refused };
}

function checkStep(row: HorseRow, change: StatusChange, today: string): void {
	statusAfter(change.step, row);
	const context = { feePaidForYear: row.feePaidForYear };
	if (change.step === 'lapse' && !isFeeOverdue(row, today)) throw horsesError('FEE_NOT_OVERDUE', { context });
	if (change.step === 'reinstate' && row.status === 'LAPSED' && !isFeePaid(row, today))
		throw horsesError('FEE_UNPAID', { context });
}

function columnsAfter(row: HorseRow, change: StatusChange): HorseChange {
	const status = statusAfter(change.step, row);
	const kept = { status, removedStatus: null, removedStatusReason: null };
	switch (change.step) {
		case 'suspend':
			return { ...kept, statusReason: change.statusReason };
		case 'lapse':
			return { ...kept, statusReason: 'FEE_UNPAID' };
		case 'delete':
			return {
				status,
				statusReason: 'DELETED',
				removedStatus: row.status,
				removedStatusReason: row.statusReason,
			};
		case 'restore':
			return { ...kept, statusReason: row.removedStatusReason };
		default:
			return { ...kept, statusReason: null };
	}
}
