import { yearOf } from '@paddock/calendar';
import { type FieldError, refuseInvalid } from '@paddock/contract';
import { inTransaction, once } from '@paddock/database';
import { type Call, type RecordCall, requireVersion, type UpdateCall } from '@paddock/service';
import { competitionRows } from '../competitions/store.ts';
import type { EventRow } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { prepareRejudging, rejudgeEntries } from '../entries/rejudge-entries.ts';
import { blockedEntries, promoteWaiting } from '../entries/waiting-list.ts';
import { eventsError } from '../errors.ts';
import { getManagedEvent, lockManagedEvent, requireManager } from './access.ts';
import { tellOfMove } from './event-mails.ts';
import { requireReadiness } from './publish.ts';
import {
	requireChangeable,
	requireCompetitionsFit,
	requireOfficerFor,
	requireOpenForChange,
	requirePresentCategory,
} from './rules.ts';
import type { EventBody } from './schemas.ts';
import { eventSnapshot, snapshotOnto } from './snapshot.ts';
import { deleteEvent as deleteRow, hasEntries, insertEvent, updateEvent } from './store.ts';
import { changedEvent, getEvent, toEvent } from './view.ts';
import type { Event } from './view-schemas.ts';

const currencyInUse: FieldError = {
	field: 'fees.currency',
	code: 'INVALID_RANGE',
	message: 'must stay: entries of the event have amounts in it',
};

const noCounts = { competitions: 0, entries: 0, accepted: 0, waitlisted: 0 };

interface NewEvent extends Call {
	readonly body: EventBody;
}

export async function createEvent(call: NewEvent, deps: EventsDeps): Promise<Event> {
	const { body, principal, now } = call;
	requireManager(principal, body.organiserClubId);
	requirePresentCategory(body);
	requireOfficerFor(body.eventNumber === undefined ? [] : ['eventNumber'], principal);
	return once(deps.db, call, {
		operationId: 'createEvent',
		input: body,
		check: async () => {
			return eventSnapshot(deps.directory, body, undefined, call);
		},
		effect: async (transaction, snapshot) => {
			const row = await insertEvent(transaction, { body, snapshot, now });
			return toEvent({ ...row, counts: noCounts }, now);
		},
	});
}

/** @throws ApiError, see the route; errors of peer calls. */
export async function changeEvent(
	call: UpdateCall<EventBody>,
	{ db, jobs, directory, freeWithdrawalMs }: EventsDeps,
): Promise<Event> {
	const { params, update, principal, now } = call;
	// Any counts are accepted: they change without an edit of the event.
	const bodyOnto = (row: EventRow) =>
		update.onto(toEvent({ ...row, counts: noCounts }, now), ['counts', 'entriesNeedingAttention']);
	const read = await getManagedEvent(db, call);
	const wanted = bodyOnto(read);
	requireManager(principal, wanted.organiserClubId);
	requirePresentCategory(wanted, read);
	const lookedUp = await eventSnapshot(directory, wanted, read, call);
	const ruleset = { ruleset: wanted.ruleset, needsAgeClasses: changesAges(read, wanted) };
	const [blocked, rejudging] = await Promise.all([
		blockedEntries(db, read, directory, call),
		prepareRejudging(db, read, ruleset, { directory, call }),
	]);
	return inTransaction(db, async (transaction) => {
		const stored = await lockManagedEvent(transaction, call);
		requireVersion(call.preconditions, stored.version);
		const body = bodyOnto(stored);
		requireManager(principal, body.organiserClubId);
		requireChangeable(stored, body, { principal, now });
		requireCompetitionsFit(await competitionRows(transaction, params.id), stored, body);
		if (body.fees.currency !== stored.currency && (await hasEntries(transaction, stored.id)))
			refuseInvalid([currencyInUse]);
		if (stored.status === 'PUBLISHED') requireReadiness({ entryDeadline: body.entryDeadline });
		const snapshot = snapshotOnto(stored, body, lookedUp);
		const updated = await updateEvent(transaction, stored, { body, snapshot, now });
		const agesChanged = changesAges(stored, body);
		await rejudgeEntries(transaction, updated, { now, rejudging, agesChanged });
		await tellOfMove({ db: transaction, jobs, principal, now }, { from: stored, to: updated });
		await promoteWaiting(transaction, updated, { now, blocked, freeWithdrawalMs, jobs });
		return changedEvent(transaction, updated, call);
	});
}

/** Whether a change of the event changes the age classes of its riders. */
function changesAges(stored: EventRow, { startDate, ruleset }: EventBody): boolean {
	return yearOf(startDate) !== yearOf(stored.startDate) || ruleset !== stored.ruleset;
}

export function deleteEvent(call: RecordCall, { db }: EventsDeps): Promise<Event> {
	return inTransaction(db, async (transaction) => {
		const stored = await lockManagedEvent(transaction, call);
		requireVersion(call.preconditions, stored.version);
		if (await hasEntries(transaction, stored.id)) throw eventsError('EVENT_HAS_ENTRIES');
		if (stored.status !== 'DRAFT') throw eventsError('CANNOT_DELETE_ACTIVE_EVENT');
		requireOpenForChange(stored, call);
		const deleted = await getEvent(transaction, stored.id, call);
		await deleteRow(transaction, stored.id);
		return deleted;
	});
}
