import { apiError } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { CompetitionRow, EventRow } from './database-schema.ts';
import { eventsError } from './errors.ts';
import { isOfficer } from './event-access.ts';
import { eventStatus, timesOf } from './event-status.ts';
import { horseMinAgeAllowed } from './horse-age-rule.ts';
import type { EventBody } from './schemas/event-body.ts';

/** The caller of a change, and its time. */
interface Change {
	readonly principal: Principal;
	readonly now: Date;
}

/** Announced values by body field; after the publication only the federation office changes them. */
function announced(row: EventRow) {
	const iso = (instant: Date | null) => instant?.toISOString() ?? null;
	return {
		startDate: row.start_date,
		endDate: row.end_date,
		entriesOpenAt: iso(row.entries_open_at),
		entryDeadline: iso(row.entry_deadline),
		lateEntryUntil: iso(row.late_entry_until),
		venueId: row.venue_id,
		organiserClubId: row.organiser_club_id,
		ruleset: row.ruleset,
		category: row.category,
		'fees.entryFee': row.entry_fee,
		'fees.lateSurcharge': row.late_surcharge,
		'fees.stable': row.stable_fee,
	};
}

function wanted(body: EventBody): ReturnType<typeof announced> {
	const iso = (instant: string | null) => (instant === null ? null : new Date(instant).toISOString());
	return {
		startDate: body.startDate,
		endDate: body.endDate,
		entriesOpenAt: iso(body.entriesOpenAt),
		entryDeadline: iso(body.entryDeadline),
		lateEntryUntil: iso(body.lateEntryUntil),
		venueId: body.venueId,
		organiserClubId: body.organiserClubId,
		ruleset: body.ruleset,
		category: body.category,
		'fees.entryFee': body.fees.entryFee,
		'fees.lateSurcharge': body.fees.lateSurcharge,
		'fees.stable': body.fees.stable,
	};
}

/**
 * Checks that the caller, who manages the event, may make this change.
 * @throws ApiError EVENT_CLOSED if the event is over; FORBIDDEN with `fields` if the change is reserved for the
 * federation office: the number always, announced values once the event is published.
 */
export function requireChangeable(stored: EventRow, body: EventBody, { principal, now }: Change): void {
	requireNotOver(stored, now);
	const number = body.eventNumber ?? stored.event_number;
	requireOfficerFor(
		[
			...(number === stored.event_number ? [] : ['eventNumber']),
			...(stored.status === 'PUBLISHED' ? changedFields(announced(stored), wanted(body)) : []),
		],
		principal,
	);
}

/**
 * Refuses changes of an event that is over, by completion or by its last day.
 * @throws ApiError EVENT_CLOSED if the event is completed or cancelled.
 */
export function requireNotOver(event: EventRow, now: Date): void {
	const shown = eventStatus(event.status, timesOf(event), now);
	if (shown === 'COMPLETED' || shown === 'CANCELLED') throw eventsError('EVENT_CLOSED');
}

/** Names of the fields that differ. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): readonly string[] {
	return Object.entries(before).flatMap(([field, value]) =>
		value === Reflect.get(after, field) ? [] : [field],
	);
}

/** @throws ApiError FORBIDDEN naming the fields, if any, unless the caller is an officer. */
export function requireOfficerFor(fields: readonly string[], principal: Principal): void {
	if (fields.length === 0 || isOfficer(principal)) return;
	throw apiError('FORBIDDEN', {
		message: `Only the federation office changes ${fields.join(', ')}.`,
		context: { fields },
	});
}

/**
 * Checks that all competitions that are not cancelled still fit their event.
 * @throws ApiError COMPETITIONS_DEPEND_ON_IT with `conflicts`: each competition and the field that it depends on.
 */
export function requireCompetitionsFit(
	competitions: readonly CompetitionRow[],
	stored: EventRow,
	body: EventBody,
): void {
	const conflicts = competitions
		.filter(({ status }) => status === 'OPEN')
		.flatMap((competition) =>
			neededFields(competition, stored, body).map((field) => ({
				competitionId: competition.id,
				number: competition.number,
				field,
			})),
		);
	if (conflicts.length > 0) throw eventsError('COMPETITIONS_DEPEND_ON_IT', { context: { conflicts } });
}

function neededFields(competition: CompetitionRow, stored: EventRow, body: EventBody): readonly string[] {
	const { date, discipline, age_classes, arena_id, horse_min_age } = competition;
	const isTooYoung = horse_min_age < horseMinAgeAllowed(body.ruleset, competition.level);
	const needsRuleset = body.ruleset !== stored.ruleset && (age_classes.length > 0 || isTooYoung);
	return [
		...(date < body.startDate ? ['startDate'] : []),
		...(date > body.endDate ? ['endDate'] : []),
		...(body.disciplines.includes(discipline) ? [] : ['disciplines']),
		...(needsRuleset ? ['ruleset'] : []),
		...(arena_id !== null && body.venueId !== stored.venue_id ? ['venueId'] : []),
	];
}
