import { yearOf } from '@paddock/calendar';
import { once } from '@paddock/database';
import { type RecordCall, requireVersion } from '@paddock/service';
import { competitionRows, moveCompetitions } from '../competitions/store.ts';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { blockedEntries, promoteWaiting } from '../entries/promote-waiting.ts';
import {
	freeAfterMove,
	type Move,
	prepareRejudging,
	type Rejudging,
	rejudgeEntries,
} from '../entries/rejudge-entries.ts';
import { requireOfficerFor } from './event-changes.ts';
import { type MovedEvent, movedEvent } from './event-move.ts';
import type { EventMove } from './event-move-schemas.ts';
import type { Event } from './event-schemas.ts';
import { moveEvent } from './event-writes.ts';
import { getManagedEvent, lockManagedEvent } from './managed-event.ts';
import { changedEvent } from './view.ts';

type RescheduleCall = RecordCall<EventMove>;

interface Prepared {
	readonly blocked: ReadonlySet<string>;
	readonly rejudging: Rejudging;
}

/**
 * Moves an event with its competitions and deadlines in one transaction, judges its entries again and marks those that
 * were moved. A request for the dates that the event has already changes nothing.
 * @throws ApiError, see the route.
 */
export function rescheduleEvent(call: RescheduleCall, deps: EventsDeps): Promise<Event> {
	const { db, directory } = deps;
	const { params, body } = call;
	return once(db, call, {
		operationId: 'rescheduleEvent',
		input: { params, body },
		check: async () => {
			const read = await getManagedEvent(db, call);
			const plan = { ruleset: read.ruleset, needsAgeClasses: changesYear(read, body) };
			const [blocked, rejudging] = await Promise.all([
				blockedEntries(db, read, directory, call),
				prepareRejudging(db, read, plan, { directory, call }),
			]);
			return { blocked, rejudging };
		},
		effect: (transaction, prepared) => reschedule(transaction, call, deps, prepared),
	});
}

async function reschedule(
	db: EventsQueryable,
	call: RescheduleCall,
	{ freeWithdrawalMs }: Pick<EventsDeps, 'freeWithdrawalMs'>,
	{ blocked, rejudging }: Prepared,
): Promise<Event> {
	const { body, principal, now } = call;
	const event = await lockManagedEvent(db, call);
	requireVersion(call.preconditions, event.version);
	const competitions = await competitionRows(db, event.id);
	const moved = movedEvent({ event, competitions }, body, now);
	if (moved.changed.length === 0) return changedEvent(db, event, call);
	if (event.status === 'PUBLISHED') requireOfficerFor(moved.changed, principal);
	const updated = await moveEvent(db, event.id, moved.dates, now);
	await moveCompetitions(db, moved.competitions);
	await rejudgeEntries(db, updated, {
		now,
		rejudging,
		agesChanged: changesYear(event, body),
		move: moveOf(event, moved, now),
	});
	await promoteWaiting(db, updated, { now, blocked, freeWithdrawalMs });
	return changedEvent(db, updated, call);
}

function changesYear(event: Pick<EventRow, 'startDate'>, { startDate }: EventMove): boolean {
	return yearOf(startDate) !== yearOf(event.startDate);
}

function moveOf(event: EventRow, { dates, competitions }: MovedEvent, now: Date): Move {
	const text =
		event.startDate === dates.startDate
			? 'Competitions of the event were moved to other days.'
			: `The event was moved from ${event.startDate} to ${dates.startDate}.`;
	return {
		competitionIds: new Set(competitions.map(({ id }) => id)),
		text,
		freeUntil: freeAfterMove(dates, now),
	};
}
