import type { AgeClassDefinition } from './age-class.ts';
import type { ConfirmationTimes, EntryType } from './entry-status.ts';
import type { EntryTimes } from './entry-window.ts';

/** The rider, from the members context. */
export interface RiderFacts {
	readonly firstName: string;
	readonly lastName: string;
	/** `YYYY-MM-DD` */
	readonly dateOfBirth: string;
	readonly homeClubId: string | null;
	readonly status: string;
	readonly feePaidForYear: number | null;
}

/** The horse, from the horse registry. */
export interface HorseFacts {
	readonly name: string;
	readonly birthYear: number;
	readonly isPony: boolean;
	readonly heightCm: number | null;
	readonly status: string;
	readonly feePaidForYear: number | null;
}

/** The data of the event that an entry depends on. */
export interface EventFacts extends EntryTimes, ConfirmationTimes {
	/** `YYYY-MM-DD` */
	readonly startDate: string;
}

/** A competition of the event that the entry requests. */
export interface CompetitionFacts {
	readonly id: string;
	readonly number: number;
	readonly name: string;
	readonly discipline: string;
	/** `YYYY-MM-DD` */
	readonly date: string;
	/** Codes; empty = open to all. */
	readonly ageClasses: readonly string[];
	/** In years. */
	readonly horseMinAge: number | null;
	readonly ponyOnly: boolean;
	readonly isCancelled: boolean;
	/** Whether this horse has an open entry in it. */
	readonly hasHorse: boolean;
	/** Number of the rider's horses in it, without this one. */
	readonly ridersHorses: number;
}

/** All data that decides on an entry, as a snapshot. */
export interface EntryFacts {
	readonly event: EventFacts;
	/** Undefined: unknown id. */
	readonly rider: RiderFacts | undefined;
	readonly horse: HorseFacts | undefined;
	/** Whether the horse has another open entry at the event. */
	readonly horseHasEntry: boolean;
	/** In the order of the request; a string is the id of a competition that the event does not have. */
	readonly competitions: readonly (CompetitionFacts | string)[];
	/** Definitions of the event's ruleset. */
	readonly ageClasses: readonly AgeClassDefinition[];
	/** The requested type; undefined = derived from the current entry window. */
	readonly type: EntryType | undefined;
	/** Whether the caller acts for the organiser or the federation's office. */
	readonly byOrganiser: boolean;
	/**
	 * Whether the rider's or the horse's side has to confirm; ALREADY_PENDING: an equal entry already waits for
	 * confirmation.
	 */
	readonly confirmation: 'NOT_NEEDED' | 'NEEDED' | 'ALREADY_PENDING';
	readonly now: Date;
	/** The current day at the venue, `YYYY-MM-DD`. */
	readonly today: string;
}
