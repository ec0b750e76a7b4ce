import { dayAfter, dayCount, dayIn, sameTimeAfter } from '@paddock/calendar';
import { type FieldError, refuseInvalid } from '@paddock/contract';
import { parseBody } from '@paddock/service';
import type { Competition } from '../competitions/schemas.ts';
import type { EventRow } from '../database-schema.ts';
import { eventsError } from '../errors.ts';
import { requireCompetitionsFit, requireNotOver } from './event-changes.ts';
import type { EventMove } from './event-move-schemas.ts';
import { requireReadiness } from './event-readiness.ts';
import { eventDates } from './schemas.ts';
import { deadlineErrors, eventInstants } from './snapshot.ts';

type Deadline = 'entriesOpenAt' | 'entryDeadline' | 'lateEntryUntil';

/** The result of moving an event with its competitions. */
export interface MovedEvent {
	/** New values of the event, with its first and last instant. */
	readonly dates: Pick<EventRow, 'startDate' | 'endDate' | 'startsAt' | 'endsAt' | Deadline>;
	/** The competitions whose day changes, with their new days. */
	readonly competitions: readonly Competition[];
	/** Names of the fields that change; empty if the event is there already. */
	readonly changed: readonly string[];
}

interface Present {
	readonly event: EventRow;
	readonly competitions: readonly Competition[];
}

/**
 * Moves all days and deadlines by as many days as the first day. Deadlines keep their local time at the venue. Entries that
 * are open already stay open.
 * @throws ApiError EVENT_CLOSED; EVENT_HAS_BEGUN; VALIDATION_ERROR with all invalid fields, those that the move makes
 * so included; COMPETITIONS_DEPEND_ON_IT for competitions after a new last day; EVENT_NOT_READY.
 */
export function movedEvent({ event, competitions }: Present, body: EventMove, now: Date): MovedEvent {
	const timeZone = event.venueTimeZone;
	const today = dayIn(timeZone, now);
	requireNotOver(event, now);
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
