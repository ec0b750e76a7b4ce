import type { CallingRequest } from '@paddock/peers';
import type { CompetitionRow, EventRow } from '../database-schema.ts';
import { isValidOn } from '../entries/check-competition.ts';
import { eventsError } from '../errors.ts';
import type { Directory } from '../peers/directory.ts';
import type { AgeClassRecord } from '../peers/records.ts';

interface Offer {
	readonly entryDeadline: Date | string | null;
	/** For a publication only: a published event may have all its competitions cancelled and can still be changed. */
	readonly competitions?: readonly Pick<CompetitionRow, 'status'>[];
	/** Set for a publication only: references to records that are not in use. */
	readonly references?: readonly Missing[];
}

export interface Missing {
	readonly code:
		| 'NO_COMPETITION'
		| 'NO_ENTRY_DEADLINE'
		| 'ENTRY_DEADLINE_PASSED'
		| 'VENUE_NOT_IN_USE'
		| 'ORGANISER_NOT_IN_USE'
		| 'ARENA_NOT_IN_USE'
		| 'AGE_CLASS_NOT_IN_USE'
		| 'DIVISION_REQUIRED'
		| 'REFERENCES_CHANGED';
	readonly message: string;
}

/** `now`: of a publication, before the deadline. @throws ApiError EVENT_NOT_READY with all that is missing. */
export function requireReadiness({ entryDeadline, competitions, references = [] }: Offer, now?: Date): void {
	const missing: Missing[] = [];
	if (competitions?.every(({ status }) => status === 'CANCELLED'))
		missing.push({ code: 'NO_COMPETITION', message: 'The event has no competition to enter in.' });
	if (entryDeadline === null)
		missing.push({ code: 'NO_ENTRY_DEADLINE', message: 'The event has no entry deadline.' });
	else if (now !== undefined && new Date(entryDeadline) < now)
		missing.push({ code: 'ENTRY_DEADLINE_PASSED', message: 'The entry deadline has passed already.' });
	missing.push(...references);
	if (missing.length > 0) throw eventsError('EVENT_NOT_READY', { context: { missing } });
}

export interface PublishedRows {
	readonly event: Pick<EventRow, 'venueId' | 'organiserClubId' | 'ruleset' | 'startDate'>;
	readonly competitions: readonly Pick<CompetitionRow, 'number' | 'arenaId' | 'ageClasses' | 'status'>[];
}

/** Records that were deleted or deactivated since they were stored; bypasses the cache. @throws ApiError, errors of peer calls. */
export async function missingReferences(
	directory: Directory,
	{ event, competitions }: PublishedRows,
	context: CallingRequest,
): Promise<readonly Missing[]> {
	const { venueId, organiserClubId, ruleset, startDate } = event;
	const planned = open(competitions);
	const isRestricted = planned.some(({ ageClasses }) => ageClasses.length > 0);
	const arenaIds = [...new Set(planned.flatMap(({ arenaId }) => arenaId ?? []))];
	const [venue, clubs, arenas, ageClasses] = await Promise.all([
		directory.venue(venueId, context),
		directory.clubs([organiserClubId], context),
		Promise.all(arenaIds.map((id) => directory.arena(venueId, id, context))),
		isRestricted ? directory.ageClasses(ruleset, context, { fresh: true }) : [],
	]);
	const isGone = (arenaId: string | null) => arenaId !== null && !arenas[arenaIds.indexOf(arenaId)]?.isActive;
	return [
		...(venue?.isActive ? [] : [venueNotInUse]),
		...(clubs.get(organiserClubId)?.status === 'ACTIVE' ? [] : [organiserNotInUse]),
		...planned.filter(({ arenaId }) => isGone(arenaId)).map(arenaNotInUse),
		...planned.flatMap((competition) => missingAgeClasses(competition, ageClasses, startDate)),
	];
}

/** Equal for rows with the same references. */
export function referencesKey({ event, competitions }: PublishedRows): string {
	const { venueId, organiserClubId, ruleset, startDate } = event;
	return JSON.stringify([
		venueId,
		organiserClubId,
		ruleset,
		startDate,
		open(competitions).map(({ number, arenaId, ageClasses }) => [number, arenaId, ageClasses]),
	]);
}

function open(competitions: PublishedRows['competitions']): PublishedRows['competitions'] {
	return competitions.filter(({ status }) => status === 'OPEN');
}

const venueNotInUse: Missing = {
	code: 'VENUE_NOT_IN_USE',
	message: 'The venue has been deleted or taken out of use.',
};
const organiserNotInUse: Missing = {
	code: 'ORGANISER_NOT_IN_USE',
	message: 'The organising club has been deleted or is not active.',
};
const arenaNotInUse = ({ number }: Pick<CompetitionRow, 'number'>): Missing => ({
	code: 'ARENA_NOT_IN_USE',
	message: `The arena of competition ${number} has been deleted or taken out of use.`,
});

function missingAgeClasses(
	{ number, ageClasses }: PublishedRows['competitions'][number],
	known: readonly AgeClassRecord[],
	startDate: string,
): Missing[] {
	// Age classes are those of the first day for the whole event (OeTO §41.1).
	return ageClasses
		.filter((code) => !known.some((ageClass) => ageClass.code === code && isValidOn(ageClass, startDate)))
		.map((code) => ({
			code: 'AGE_CLASS_NOT_IN_USE',
			message: `The age class ${code} of competition ${number} does not exist on the first day of the event.`,
		}));
}
