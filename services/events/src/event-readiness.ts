import type { CompetitionRow } from './database-schema.ts';
import { eventsError } from './errors.ts';

/** What a published event offers to entrants. */
interface Offer {
	readonly entryDeadline: Date | string | null;
	/** For a publication; later all may be cancelled, and the event still changes. */
	readonly competitions?: readonly Pick<CompetitionRow, 'status'>[];
	/** For a publication: references to records that are not in use. */
	readonly references?: readonly Missing[];
}

/** What keeps an event from being published. */
export interface Missing {
	readonly code:
		| 'NO_COMPETITION'
		| 'NO_ENTRY_DEADLINE'
		| 'ENTRY_DEADLINE_PASSED'
		| 'VENUE_NOT_IN_USE'
		| 'ORGANISER_NOT_IN_USE'
		| 'ARENA_NOT_IN_USE'
		| 'AGE_CLASS_NOT_IN_USE'
		| 'REFERENCES_CHANGED';
	readonly message: string;
}

/**
 * What entrants need from the publication on.
 * @throws ApiError EVENT_NOT_READY with all that is missing; with `now`, for a publication, also where entries
 * have closed.
 */
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
