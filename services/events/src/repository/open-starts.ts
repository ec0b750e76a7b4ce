import type { EventsQueryable } from '../database-schema.ts';
import { openStatuses } from '../entries/entry-status.ts';
import type { ParticipantIds } from '../entries/participants.ts';

/** A start that holds a place or waits for one. */
export interface OpenStart {
	readonly competition_id: string;
	readonly horse_id: string;
	readonly rider_member_id: string;
}

/** Those of an event in which this rider or this horse takes part, except those of the entry `except`. */
export function listOpenStarts(
	db: EventsQueryable,
	eventId: string,
	{ riderMemberId, horseId }: ParticipantIds,
	except?: string,
): Promise<OpenStart[]> {
	const all = db
		.selectFrom('starts')
		.innerJoin('competitions', 'competitions.id', 'starts.competition_id')
		.select(['starts.competition_id', 'starts.horse_id', 'starts.rider_member_id'])
		.where('competitions.event_id', '=', eventId)
		.where('starts.status', 'in', openStatuses)
		.where((eb) =>
			eb.or([eb('starts.rider_member_id', '=', riderMemberId), eb('starts.horse_id', '=', horseId)]),
		);
	return (except === undefined ? all : all.where('starts.entry_id', '<>', except)).execute();
}

/** Whether the horse has an open entry at the event besides the entry `except`. */
export async function hasOpenEntry(
	db: EventsQueryable,
	eventId: string,
	{ horseId }: Pick<ParticipantIds, 'horseId'>,
	except?: string,
): Promise<boolean> {
	const open = db
		.selectFrom('entries')
		.select('id')
		.where('event_id', '=', eventId)
		.where('horse_id', '=', horseId)
		.where('status', 'in', openStatuses)
		.limit(1);
	const found = except === undefined ? open : open.where('id', '<>', except);
	return (await found.executeTakeFirst()) !== undefined;
}
