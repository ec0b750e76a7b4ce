import { apiError } from '@paddock/contract';
import { clubsCovered, isOfficer, type Principal } from '@paddock/identity';
import type { RecordCall } from '@paddock/service';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { type EventScope, getEventRow, lockEvent } from './store.ts';

/** Officers manage all events, an ORGANISER or CLUB_OFFICIAL those of the clubs that the role covers; other callers none. */
function managedClubs(principal: Principal | undefined): 'all' | readonly string[] {
	if (principal === undefined) return [];
	if (isOfficer(principal)) return 'all';
	return [...clubsCovered(principal, 'ORGANISER'), ...clubsCovered(principal, 'CLUB_OFFICIAL')];
}

export function visibleTo(principal: Principal | undefined): EventScope {
	return { isSignedIn: principal !== undefined, clubs: managedClubs(principal) };
}

export interface EventViewer<Who extends Principal | undefined = Principal | undefined> {
	readonly principal: Who;
	readonly events: EventScope;
}

/** The `readers` of events and their competitions. */
export function eventReaders<Who extends Principal | undefined>(call: { readonly principal: Who }) {
	return { principal: call.principal, events: visibleTo(call.principal) } satisfies EventViewer<Who>;
}

/** The `readers` of what only the managers of an event read: the handler gets the caller and the event. */
export async function managingReaders(call: EventCall, { db }: Pick<EventsDeps, 'db'>) {
	return { principal: call.principal, event: await getManagedEvent(db, call) };
}

export function mayManage(principal: Principal | undefined, organiserClubId: string): boolean {
	const clubs = managedClubs(principal);
	return clubs === 'all' || clubs.includes(organiserClubId);
}

/** @throws ApiError OUT_OF_SCOPE */
export function requireManager(principal: Principal, organiserClubId: string): void {
	if (!mayManage(principal, organiserClubId)) throw apiError('OUT_OF_SCOPE');
}

export const officersOnly = { roles: ['FEDERATION_OFFICER', 'ADMIN'] } as const;

/** Roles that may manage events; `mayManage` checks which clubs they cover. */
export const managersOnly = { roles: ['CLUB_OFFICIAL', 'ORGANISER', 'FEDERATION_OFFICER', 'ADMIN'] } as const;

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
