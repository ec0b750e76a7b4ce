import type { CompetitionRow } from '../database-schema.ts';
import { eventsError } from '../errors.ts';

/** The data of an event that entrants depend on. */
interface Offer {
	readonly entryDeadline: Date | string | null;
	/**
	 * Set for a publication only; a published event may have all its competitions cancelled and can still be changed.
	 */
	readonly competitions?: readonly Pick<CompetitionRow, 'status'>[];
	/** Set for a publication only: references to records that are not in use. */
	readonly references?: readonly Missing[];
}

/** A reason why an event cannot be published. */
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
 * Checks the data that entrants need once the event is published.
 * @throws ApiError EVENT_NOT_READY with all missing items; with `now` (for a publication) also if the entry deadline
 * has passed.
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
