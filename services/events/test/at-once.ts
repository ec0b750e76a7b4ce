import { eventually, waitingForLocks } from '@paddock/testing';
import type { RunningEvents } from './running-events.ts';

/**
 * Sends requests that all change one event so that they are concurrent: its row is locked until all of them wait for
 * it. Otherwise each would end before the next begins. The first one gets the lock first. Requests about entries queue
 * within an instance and never wait together: send each to an instance of its own.
 */
export async function atOnce<Response>(
	{ db }: Pick<RunningEvents, 'db'>,
	eventId: string,
	requests: readonly (() => Promise<Response>)[],
): Promise<Response[]> {
	const responses = await db.transaction().execute(async (holder) => {
		await holder.selectFrom('events').select('id').where('id', '=', eventId).forUpdate().execute();
		const sent: Promise<Response>[] = [];
		for (const request of requests) {
			sent.push(request());
			await eventually(
				`request ${sent.length} waits for the event`,
				async () => (await waitingForLocks(db)) === sent.length,
			);
		}
		return sent;
	});
	return Promise.all(responses);
}
