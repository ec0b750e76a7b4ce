import type { Database } from '@paddock/database';
import { routesWith } from '@paddock/service';
import type { EventsSchema } from './database-schema.ts';
import type { KeyedQueue } from './entries/keyed-queue.ts';
import type { EventCalendar } from './events/event-calendar.ts';
import type { Directory } from './peers/directory.ts';
import type { Publicity } from './peers/publicity.ts';

/** Dependencies of every handler of this context. */
export interface EventsDeps {
	readonly db: Database<EventsSchema>;
	/** Records of other contexts. */
	readonly directory: Directory;
	/** The officials that public views may name. */
	readonly publicity: Publicity;
	/** Queue by event id, entered before the event row is locked. */
	readonly entryQueue: KeyedQueue;
	readonly calendar: EventCalendar;
	/** How long after its promotion an entry can be withdrawn free of charge. */
	readonly freeWithdrawalMs: number;
}

/** Declares one route of this context. */
export const route = routesWith<EventsDeps>('events');
