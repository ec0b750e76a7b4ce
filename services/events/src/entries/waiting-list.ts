import { dayIn } from '@paddock/calendar';
import type { CompetitionRow, EventRow } from '../database-schema.ts';

/** How many more the event and each of its competitions take; null = without limit. */
export interface FreePlaces {
	readonly entries: number | null;
	/** By competition; one that is missing has no places (cancelled, or its day is over). */
	readonly starts: ReadonlyMap<string, number | null>;
}

/** An entry that waits. */
export interface WaitingEntry {
	readonly id: string;
	readonly competitionIds: readonly string[];
}

/**
 * An entry has a place when the event has one left and so has every competition that it starts in: an entry is for all of
 * its starts or for none, so that no rider travels for a part of the starts.
 */
export function hasPlace(places: FreePlaces, competitionIds: readonly string[]): boolean {
	if (places.entries !== null && places.entries <= 0) return false;
	return competitionIds.every((id) => {
		const free = places.starts.get(id);
		return free === null || (free !== undefined && free > 0);
	});
}

/**
 * Which waiting entries get a place, in order. One that does not fit (one of its competitions is full) is skipped
 * and keeps its position, so that a place is not held for an entry that can't take it. `waiting` is in order.
 */
export function promoted(waiting: readonly WaitingEntry[], places: FreePlaces): readonly string[] {
	let entries = places.entries;
	const starts = new Map(places.starts);
	const ids: string[] = [];
	for (const { id, competitionIds } of waiting) {
		if (!hasPlace({ entries, starts }, competitionIds)) continue;
		ids.push(id);
		entries = entries === null ? null : entries - 1;
		for (const competitionId of competitionIds) {
			const free = starts.get(competitionId) ?? null;
			if (free !== null) starts.set(competitionId, free - 1);
		}
	}
	return ids;
}

/** Free places; competitions that are cancelled or over have none. */
export function freePlaces(
	event: Pick<EventRow, 'max_entries' | 'venue_time_zone'>,
	accepted: number,
	competitions: readonly (Pick<CompetitionRow, 'id' | 'status' | 'date' | 'max_starters'> & {
		readonly accepted: number;
	})[],
	now: Date,
): FreePlaces {
	const today = dayIn(event.venue_time_zone, now);
	const taking = competitions.filter(({ status, date }) => status === 'OPEN' && date >= today);
	const left = (max: number | null, taken: number) => (max === null ? null : max - taken);
	return {
		entries: left(event.max_entries, accepted),
		starts: new Map(taking.map((row) => [row.id, left(row.max_starters, row.accepted)])),
	};
}
