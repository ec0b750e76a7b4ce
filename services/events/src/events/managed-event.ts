import type { RecordCall } from '@paddock/service';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import { requireManager, visibleTo } from './access.ts';
import { getEventRow, lockEvent } from './store.ts';

type EventCall = Pick<RecordCall, 'params' | 'principal'>;

/** The event of a request, whose `id` is the event's. @throws ApiError NOT_FOUND; OUT_OF_SCOPE unless the caller manages it. */
export async function getManagedEvent(
	db: EventsQueryable,
	{ params, principal }: EventCall,
	read = getEventRow,
): Promise<EventRow> {
	const event = await read(db, params.id, visibleTo(principal));
	requireManager(principal, event.organiserClubId);
	return event;
}

/** The same, locked for the rest of the transaction; see `lockEvent`. */
export function lockManagedEvent(db: EventsQueryable, call: EventCall): Promise<EventRow> {
	return getManagedEvent(db, call, lockEvent);
}
