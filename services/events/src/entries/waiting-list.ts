import { dayIn } from '@paddock/calendar';
import type { EventRow } from '../database-schema.ts';
import type { TakenCompetitionRow, WaitingEntryRow } from './places.ts';

/** Free places of the event and of each of its competitions; null = unlimited. */
export interface FreePlaces {
	readonly entries: number | null;
	/** By competition id; a missing one has no places (cancelled, or its day is over). */
	readonly starts: ReadonlyMap<string, number | null>;
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
export function promoted(
	waiting: readonly Pick<WaitingEntryRow, 'id' | 'competitionIds'>[],
	places: FreePlaces,
): readonly string[] {
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
	event: Pick<EventRow, 'maxEntries' | 'venueTimeZone'>,
	accepted: number,
	competitions: readonly TakenCompetitionRow[],
	now: Date,
): FreePlaces {
	const today = dayIn(event.venueTimeZone, now);
	const taking = competitions.filter(({ status, date }) => status === 'OPEN' && date >= today);
	const left = (max: number | null, taken: number) => (max === null ? null : max - taken);
	return {
		entries: left(event.maxEntries, accepted),
		starts: new Map(taking.map((row) => [row.id, left(row.maxStarters, row.accepted)])),
	};
}
