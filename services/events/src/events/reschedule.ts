import { dayAfter, dayCount, dayIn, sameTimeAfter, yearOf } from '@paddock/calendar';
import { type FieldError, refuseInvalid } from '@paddock/contract';
import { once } from '@paddock/database';
import { parseBody, type RecordCall, requireVersion } from '@paddock/service';
import { requireHighestOfDay } from '../competitions/rules.ts';
import type { Competition } from '../competitions/schemas.ts';
import { competitionRows, moveCompetitions } from '../competitions/store.ts';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import {
	freeAfterMove,
	type Move,
	prepareRejudging,
	type Rejudging,
	rejudgeEntries,
} from '../entries/rejudge-entries.ts';
import { blockedEntries, promoteWaiting } from '../entries/waiting-list.ts';
import { eventsError } from '../errors.ts';
import { getManagedEvent, lockManagedEvent } from './access.ts';
import { tellOfMove } from './event-mails.ts';
import { requireReadiness } from './publish.ts';
import type { EventMove } from './query-schemas.ts';
import { requireCompetitionsFit, requireOfficerFor, requireOpenForChange } from './rules.ts';
import { eventDates } from './schemas.ts';
import { deadlineErrors, eventInstants } from './snapshot.ts';
import { moveEvent } from './store.ts';
import { changedEvent } from './view.ts';
import type { Event } from './view-schemas.ts';

type RescheduleCall = RecordCall<EventMove>;

interface Prepared {
	readonly blocked: ReadonlySet<string>;
	readonly rejudging: Rejudging;
}

/** In one transaction; entries are judged again, moved ones marked. Repeating it changes nothing. @throws ApiError, see the route. */
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
	{ freeWithdrawalMs, jobs }: Pick<EventsDeps, 'freeWithdrawalMs' | 'jobs'>,
	{ blocked, rejudging }: Prepared,
): Promise<Event> {
	const { body, principal, now } = call;
	const event = await lockManagedEvent(db, call);
	requireVersion(call.preconditions, event.version);
	const competitions = await competitionRows(db, event.id);
	const moved = movedEvent({ event, competitions }, call);
	if (moved.changed.length === 0) return changedEvent(db, event, call);
	if (event.status === 'PUBLISHED') requireOfficerFor(moved.changed, principal);
	const updated = await moveEvent(db, event.id, moved.dates, now);
	await moveCompetitions(db, moved.competitions);
	const move = moveOf(event, moved, now);
	await rejudgeEntries(db, updated, { now, rejudging, agesChanged: changesYear(event, body), move });
	await tellOfMove({ db, jobs, principal, now }, { from: event, to: updated }, move.freeUntil);
	await promoteWaiting(db, updated, { now, blocked, freeWithdrawalMs, jobs });
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

type Deadline = 'entriesOpenAt' | 'entryDeadline' | 'lateEntryUntil';

export interface MovedEvent {
	readonly dates: Pick<EventRow, 'startDate' | 'endDate' | 'startsAt' | 'endsAt' | Deadline>;
	readonly competitions: readonly Competition[];
	/** Names of the fields that change; empty if the event is there already. */
	readonly changed: readonly string[];
}

interface Present {
	readonly event: EventRow;
	readonly competitions: readonly Competition[];
}

/** By as many days as the first day; deadlines keep their local time, open entries stay open. @throws ApiError, see the route. */
function movedEvent(
	{ event, competitions }: Present,
	{ body, principal, now }: Pick<RescheduleCall, 'body' | 'principal' | 'now'>,
): MovedEvent {
	const timeZone = event.venueTimeZone;
	const today = dayIn(timeZone, now);
	requireOpenForChange(event, { principal, now });
	const isPublished = event.status === 'PUBLISHED';
	if (isPublished && competitions.some(({ status, date }) => status === 'OPEN' && date < today))
		throw eventsError('EVENT_HAS_BEGUN');
	const days = dayCount(event.startDate, body.startDate) - 1;
	const deadline = (field: Deadline): string | null => {
		const { [field]: given } = body;
		if (given !== undefined) return given;
		const stored = event[field];
		if (field === 'entriesOpenAt' && stored !== null && stored <= now) return stored.toISOString();
		return stored === null ? null : sameTimeAfter(timeZone, stored, days).toISOString();
	};
	const dates = parseBody(eventDates, {
		startDate: body.startDate,
		endDate: body.endDate ?? dayAfter(event.endDate, days),
		entriesOpenAt: deadline('entriesOpenAt'),
		entryDeadline: deadline('entryDeadline'),
		lateEntryUntil: deadline('lateEntryUntil'),
	});
	refuseInvalid([
		...(days !== 0 && body.startDate < today ? [pastStart] : []),
		...deadlineErrors(dates, timeZone),
		...passedDeadline(event, body, dates, now),
		...competitionErrors(body, dates, competitions),
	]);
	const moved = movedCompetitions(competitions, body, days);
	requireCompetitionsFit(moved, event, { ...event, ...dates });
	requireHighestOfDay(moved, competitions, event);
	if (isPublished) requireReadiness(dates);
	const columns = {
		startDate: dates.startDate,
		endDate: dates.endDate,
		...eventInstants(dates, timeZone),
		entriesOpenAt: instantOf(dates.entriesOpenAt),
		entryDeadline: instantOf(dates.entryDeadline),
		lateEntryUntil: instantOf(dates.lateEntryUntil),
	};
	const before = new Map(competitions.map(({ id, date }) => [id, date]));
	const others = moved.filter(({ id, date }) => before.get(id) !== date);
	const fields = ['startDate', 'endDate', 'entriesOpenAt', 'entryDeadline', 'lateEntryUntil'] as const;
	const changed = fields.filter((field) => columns[field]?.valueOf() !== event[field]?.valueOf());
	return {
		dates: columns,
		competitions: others,
		changed: [...changed, ...(others.length === 0 ? [] : ['competitions'])],
	};
}

function instantOf(text: string | null): Date | null {
	return text === null ? null : new Date(text);
}

const pastStart: FieldError = {
	field: 'startDate',
	code: 'INVALID_RANGE',
	message: 'must not be in the past',
};

/** An event that is brought forward must not close its entries unasked. */
function passedDeadline(
	{ entryDeadline }: EventRow,
	body: EventMove,
	dates: { readonly entryDeadline: string | null },
	now: Date,
): readonly FieldError[] {
	const isAsked = body.entryDeadline !== undefined || entryDeadline === null || entryDeadline < now;
	if (isAsked || dates.entryDeadline === null || new Date(dates.entryDeadline) >= now) return [];
	const message = `would have passed (${dates.entryDeadline}); name another one`;
	return [{ field: 'entryDeadline', code: 'INVALID_RANGE', message }];
}

function competitionErrors(
	{ competitions: given = [] }: EventMove,
	{ startDate, endDate }: { readonly startDate: string; readonly endDate: string },
	competitions: readonly Competition[],
): readonly FieldError[] {
	const known = new Set(competitions.map(({ id }) => id));
	return given.flatMap(({ competitionId, date }, index): FieldError[] => {
		const field = `competitions[${index}]`;
		if (!known.has(competitionId)) {
			const message = 'is not the id of a competition of the event';
			return [{ field: `${field}.competitionId`, code: 'INVALID_REFERENCE', message }];
		}
		if (startDate <= date && date <= endDate) return [];
		const message = `must be a day of the event, ${startDate} to ${endDate}`;
		return [{ field: `${field}.date`, code: 'INVALID_RANGE', message }];
	});
}

function movedCompetitions(
	competitions: readonly Competition[],
	{ competitions: given = [] }: EventMove,
	days: number,
): readonly Competition[] {
	const dates = new Map(given.map(({ competitionId, date }) => [competitionId, date]));
	return competitions.map((competition) => ({
		...competition,
		date: dates.get(competition.id) ?? dayAfter(competition.date, days),
	}));
}
