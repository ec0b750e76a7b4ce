import { dayIn } from '@paddock/calendar';
import type { CompetitionRow, EventRow } from '../database-schema.ts';

/** Free places of the event and of each of its competitions; null = unlimited. */
export interface FreePlaces {
	readonly entries: number | null;
	/** By competition id; a missing one has no places (cancelled, or its day is over). */
	readonly starts: ReadonlyMap<string, number | null>;
}

/** An entry on the waiting list. */
export interface WaitingEntry {
	readonly id: string;
	readonly competitionIds: readonly string[];
}

/**
 * Whether the event and all requested competitions have a free place: an entry gets all of its starts or none, so that
 * no rider travels for only some of them.
 */
export function hasPlace(places: FreePlaces, competitionIds: readonly string[]): boolean {
	if (places.entries !== null && places.entries <= 0) return false;
	return competitionIds.every((id) => {
		const free = places.starts.get(id);
		return free === null || (free !== undefined && free > 0);
	});
}

/**
 * Ids of the waiting entries to promote, in order. An entry that does not fit (one of its competitions is full) is
 * skipped and keeps its position, so that no place is held for an entry that cannot use it. `waiting` is in order.
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
