import type { Principal } from '@paddock/identity';
import type { EventRow, EventsQueryable } from './database-schema.ts';
import { requireManager, visibleTo } from './event-access.ts';
import { getEventRow, lockEvent } from './repository/events.ts';

interface ManagerRequest {
	/** `id` is the event's. */
	readonly params: { readonly id: string };
	readonly principal: Principal;
}

/** The event of a request. @throws ApiError NOT_FOUND; OUT_OF_SCOPE unless the caller manages it. */
export async function getManagedEvent(
	db: EventsQueryable,
	{ params, principal }: ManagerRequest,
): Promise<EventRow> {
	const event = await getEventRow(db, params.id, visibleTo(principal));
	requireManager(principal, event.organiserClubId);
	return event;
}

/** The same, locked for the rest of the transaction; see `lockEvent`. */
export async function lockManagedEvent(
	db: EventsQueryable,
	{ params, principal }: ManagerRequest,
): Promise<EventRow> {
	const event = await lockEvent(db, params.id, visibleTo(principal));
	requireManager(principal, event.organiserClubId);
	return event;
}
