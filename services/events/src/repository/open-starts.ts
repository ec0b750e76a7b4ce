import type { EventsQueryable } from '../database-schema.ts';
import { openStatuses } from '../entries/entry-status.ts';
import type { ParticipantIds } from '../entries/participants.ts';

/** A start that holds a place or waits for one. */
export interface OpenStart {
	readonly competition_id: string;
	readonly horse_id: string;
	readonly rider_member_id: string;
}

/** Those of an event in which this rider or this horse takes part. */
export function listOpenStarts(
	db: EventsQueryable,
	eventId: string,
	{ riderMemberId, horseId }: ParticipantIds,
): Promise<OpenStart[]> {
	return db
		.selectFrom('starts')
		.innerJoin('competitions', 'competitions.id', 'starts.competition_id')
		.select(['starts.competition_id', 'starts.horse_id', 'starts.rider_member_id'])
		.where('competitions.event_id', '=', eventId)
		.where('starts.status', 'in', openStatuses)
		.where((eb) =>
			eb.or([eb('starts.rider_member_id', '=', riderMemberId), eb('starts.horse_id', '=', horseId)]),
		)
		.execute();
}
