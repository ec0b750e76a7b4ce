import type { Database } from '@paddock/database';
import { routesWith } from '@paddock/service';
import type { EventsSchema } from './database-schema.ts';
import type { Directory } from './directory/directory.ts';
import type { Masterdata } from './directory/masterdata.ts';
import type { Publicity } from './directory/publicity.ts';
import type { KeyedQueue } from './entries/keyed-queue.ts';
import type { EventCalendar } from './event-calendar.ts';

/** What every handler of this context is given. */
export interface EventsDeps {
	readonly db: Database<EventsSchema>;
	/** Members, horses and clubs, as their services know them now. */
	readonly directory: Directory;
	readonly masterdata: Masterdata;
	/** Which officials public views may name. */
	readonly publicity: Publicity;
	/** Queue by event id, entered before its row is locked. */
	readonly entryQueue: KeyedQueue;
	readonly calendar: EventCalendar;
}

/** Declares one route of this context. */
export const route = routesWith<EventsDeps>();
