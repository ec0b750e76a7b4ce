import { apiError, refuseInvalid } from '@paddock/contract';
import { isOfficer, type Principal } from '@paddock/identity';
import { classViolation, exceedsAges, offerViolation } from '../competitions/rules.ts';
import type { CompetitionRow, EventRow } from '../database-schema.ts';
import type { EntryWindow, EventStatus, EventStep, StoredStatus } from '../enumerations.ts';
import { eventsError } from '../errors.ts';
import { categoryExamples, isFormerCategory } from './category.ts';
import type { EventBody } from './schemas.ts';
import { eventColumns } from './store.ts';

export type EntryTimes = Pick<EventRow, 'status' | 'entriesOpenAt' | 'entryDeadline' | 'lateEntryUntil'>;

type EventTimes = EntryTimes & Pick<EventRow, 'startsAt' | 'endsAt' | 'approval'>;

/** The entry window at that instant. Deadlines are inclusive: 23:59 means up to 23:59:00. */
export function entryWindow(
	{ status, entriesOpenAt, entryDeadline, lateEntryUntil }: EntryTimes,
	now: Date,
): EntryWindow {
	if (status === 'DRAFT') return 'NOT_YET';
	if (status !== 'PUBLISHED') return 'CLOSED';
	if (entriesOpenAt !== null && now < entriesOpenAt) return 'NOT_YET';
	if (entryDeadline !== null && now <= entryDeadline) return 'REGULAR';
	return lateEntryUntil !== null && now <= lateEntryUntil ? 'LATE' : 'CLOSED';
}

/** COMPLETED after the last day, and IN_PROGRESS from the first, even without a step. Must match `shownStatus`, in SQL. */
export function eventStatus(event: EventTimes, now: Date): EventStatus {
	if (event.status === 'DRAFT') return event.approval ?? 'DRAFT';
	if (event.status !== 'PUBLISHED') return event.status;
	if (now >= event.endsAt) return 'COMPLETED';
	if (now >= event.startsAt) return 'IN_PROGRESS';
	const window = entryWindow(event, now);
	if (window === 'NOT_YET') return 'PUBLISHED';
	return window === 'REGULAR' ? 'REGISTRATION_OPEN' : 'REGISTRATION_CLOSED';
}

export function isOver(event: EventTimes, now: Date): boolean {
	return ['COMPLETED', 'CANCELLED'].includes(eventStatus(event, now));
}

const stepsFrom: Readonly<Record<EventStatus, readonly EventStep[]>> = {
	DRAFT: ['SUBMITTED', 'PUBLISHED'],
	SUBMITTED: ['DRAFT', 'RETURNED', 'PUBLISHED'],
	RETURNED: ['SUBMITTED', 'PUBLISHED'],
	PUBLISHED: ['CANCELLED'],
	REGISTRATION_OPEN: ['CANCELLED'],
	REGISTRATION_CLOSED: ['CANCELLED'],
	IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
	COMPLETED: [],
	CANCELLED: [],
};

/** An event whose last day is over can still be completed, which records that it took place, but not cancelled. */
export function allowedSteps(stored: StoredStatus, shown: EventStatus): readonly EventStep[] {
	return shown === 'COMPLETED' && stored === 'PUBLISHED' ? ['COMPLETED'] : stepsFrom[shown];
}

/** @throws ApiError ILLEGAL_STATE_TRANSITION with from, to and allowed. */
export function requireStep(to: EventStep, event: EventTimes, now: Date): void {
	const from = eventStatus(event, now);
	const allowed = allowedSteps(event.status, from);
	if (!allowed.includes(to))
		throw eventsError('ILLEGAL_STATE_TRANSITION', { context: { from, to, allowed } });
}

interface Change {
	readonly principal: Principal;
	readonly now: Date;
}

/** Columns of announced values, with their body fields; after the publication only the federation's office changes them. */
const announced = {
	startDate: 'startDate',
	endDate: 'endDate',
	entriesOpenAt: 'entriesOpenAt',
	entryDeadline: 'entryDeadline',
	lateEntryUntil: 'lateEntryUntil',
	venueId: 'venueId',
	organiserClubId: 'organiserClubId',
	ruleset: 'ruleset',
	category: 'category',
	entryFee: 'fees.entryFee',
	lateSurcharge: 'fees.lateSurcharge',
	stableFee: 'fees.stable',
	swapFee: 'fees.swap',
	currency: 'fees.currency',
} as const satisfies Partial<Record<keyof EventRow, string>>;

function changedFields(stored: EventRow, body: EventBody): readonly string[] {
	const wanted = eventColumns(body);
	const columns = Object.keys(announced) as (keyof typeof announced)[];
	return columns
		.filter(
			(column) => wanted[column] !== undefined && stored[column]?.valueOf() !== wanted[column]?.valueOf(),
		)
		.map((column) => announced[column]);
}

/** @throws ApiError EVENT_CLOSED; FORBIDDEN with the `fields` that only the office changes: the number, announced values. */
export function requireChangeable(stored: EventRow, body: EventBody, { principal, now }: Change): void {
	requireOpenForChange(stored, { principal, now });
	const number = body.eventNumber ?? stored.eventNumber;
	requireOfficerFor(
		[
			...(number === stored.eventNumber ? [] : ['eventNumber']),
			...(stored.status === 'PUBLISHED' ? changedFields(stored, body) : []),
		],
		principal,
	);
}

/** An event that has a category keeps it after the rules have not. @throws ApiError VALIDATION_ERROR */
export function requirePresentCategory(body: EventBody, stored?: EventRow): void {
	if (!isFormerCategory(body.category) || body.category === stored?.category) return;
	const message = `must be a category of the ruleset such as ${categoryExamples.OETO} (OeTO §3 has no C*)`;
	refuseInvalid([{ field: 'category', code: 'INVALID_FORMAT', message }]);
}

/** The organiser does not change a submitted event: the office approves what it read. @throws ApiError EVENT_CLOSED, EVENT_SUBMITTED */
export function requireOpenForChange(event: EventRow, { principal, now }: Change): void {
	if (isOver(event, now)) throw eventsError('EVENT_CLOSED');
	if (eventStatus(event, now) === 'SUBMITTED' && !isOfficer(principal)) throw eventsError('EVENT_SUBMITTED');
}

/** @throws ApiError FORBIDDEN naming the fields, if any, unless the caller is an officer. */
export function requireOfficerFor(fields: readonly string[], principal: Principal): void {
	if (fields.length === 0 || isOfficer(principal)) return;
	throw apiError('FORBIDDEN', {
		message: `Only the federation’s office changes ${fields.join(', ')}.`,
		context: { fields },
	});
}

type CompetitionNeeds = Pick<
	EventBody,
	'startDate' | 'endDate' | 'disciplines' | 'ruleset' | 'category' | 'venueId'
>;

/** @throws ApiError COMPETITIONS_DEPEND_ON_IT with `conflicts`: each open competition and the field that it depends on. */
export function requireCompetitionsFit(
	competitions: readonly CompetitionRow[],
	stored: EventRow,
	body: CompetitionNeeds,
): void {
	const open = competitions.filter(({ status }) => status === 'OPEN');
	const conflicts = open.flatMap((competition) =>
		neededFields(competition, open, { stored, body }).map((field) => ({
			competitionId: competition.id,
			number: competition.number,
			field,
		})),
	);
	if (conflicts.length > 0) throw eventsError('COMPETITIONS_DEPEND_ON_IT', { context: { conflicts } });
}

function neededFields(
	competition: CompetitionRow,
	all: readonly CompetitionRow[],
	{ stored, body }: { readonly stored: EventRow; readonly body: CompetitionNeeds },
): readonly string[] {
	const { date, discipline, ageClasses, arenaId } = competition;
	const isTooWide = exceedsAges(competition, body.ruleset);
	const needsRuleset = body.ruleset !== stored.ruleset && (ageClasses.length > 0 || isTooWide);
	const others = all.filter(({ id }) => id !== competition.id);
	const isForbidden =
		classViolation(competition, body, others) !== undefined ||
		offerViolation(competition, body) !== undefined;
	const needsCategory = body.category !== stored.category && isForbidden;
	return [
		...(date < body.startDate ? ['startDate'] : []),
		...(date > body.endDate ? ['endDate'] : []),
		...(body.disciplines.includes(discipline) ? [] : ['disciplines']),
		...(needsRuleset ? ['ruleset'] : []),
		...(needsCategory ? ['category'] : []),
		...(arenaId !== null && body.venueId !== stored.venueId ? ['venueId'] : []),
	];
}
