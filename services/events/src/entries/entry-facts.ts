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

/** The event, as far as an entry depends on it. */
export interface EventFacts extends EntryTimes, ConfirmationTimes {
	/** `YYYY-MM-DD` */
	readonly startDate: string;
}

/** A competition of the event that the entry asks for. */
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
	/** How many horses the rider has in it, this one not counted. */
	readonly ridersHorses: number;
}

/** All that decides about an entry, as it was at one moment. */
export interface EntryFacts {
	readonly event: EventFacts;
	/** Undefined: unknown id. */
	readonly rider: RiderFacts | undefined;
	readonly horse: HorseFacts | undefined;
	/** Whether the horse has another open entry at the event. */
	readonly horseHasEntry: boolean;
	/** In the order of the request; a text is the id of one that the event doesn't have. */
	readonly competitions: readonly (CompetitionFacts | string)[];
	/** Definitions of the event's ruleset. */
	readonly ageClasses: readonly AgeClassDefinition[];
	/** What was asked for; undefined = as the time says. */
	readonly type: EntryType | undefined;
	/** Whether the caller acts for the organiser or the federation's office. */
	readonly byOrganiser: boolean;
	/** Whether the rider's or the horse's side would have to confirm; ALREADY_PENDING: an equal entry waits for that. */
	readonly confirmation: 'NOT_NEEDED' | 'NEEDED' | 'ALREADY_PENDING';
	readonly now: Date;
	/** The day at the venue, `YYYY-MM-DD`. */
	readonly today: string;
}
