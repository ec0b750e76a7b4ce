import { ApiError } from '@paddock/contract';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { CallContext } from '../directory/call-context.ts';
import type { Directory } from '../directory/directory.ts';
import { listWaitingPairs } from '../repository/places.ts';
import { checkHorse } from './check-horse.ts';
import { checkRider } from './check-rider.ts';
import { isAcceptable } from './entry-check.ts';

/** An event with a waiting list. */
export type WaitingEvent = Pick<EventRow, 'id' | 'start_date'>;

/**
 * The ids of waiting entries that get no place now, because rider or horse may not start any more (suspended, deleted)
 * since they were entered. Where members or horses don't respond these are all that wait: nobody is promoted
 * unchecked, and the next promotion checks again. Call it before the event is locked; an entry that joins the list
 * later was checked when it did.
 */
export async function blockedEntries(
	db: EventsQueryable,
	event: WaitingEvent,
	directory: Pick<Directory, 'members' | 'horses'>,
	context: CallContext,
): Promise<ReadonlySet<string>> {
	const waiting = await listWaitingPairs(db, event.id);
	if (waiting.length === 0) return new Set();
	try {
		const [members, horses] = await Promise.all([
			directory.members(
				waiting.map(({ riderMemberId }) => riderMemberId),
				context,
			),
			directory.horses(
				waiting.map(({ horseId }) => horseId),
				context,
			),
		]);
		const blocked = waiting.filter(
			({ riderMemberId, horseId }) =>
				!mayStart(event, { rider: members.get(riderMemberId), horse: horses.get(horseId) }),
		);
		return new Set(blocked.map(({ id }) => id));
	} catch (error) {
		if (!(error instanceof ApiError) || error.status < 500) throw error;
		return new Set(waiting.map(({ id }) => id));
	}
}

type Pair = Pick<Parameters<typeof checkRider>[0], 'rider'> & Pick<Parameters<typeof checkHorse>[0], 'horse'>;

function mayStart({ start_date: startDate }: WaitingEvent, { rider, horse }: Pair): boolean {
	const event = { startDate };
	return isAcceptable([...checkRider({ rider, event }), ...checkHorse({ horse, event })]);
}
