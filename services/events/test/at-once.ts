import { eventually, waitingForLocks } from '@paddock/testing';
import type { RunningEvents } from './running-events.ts';

/**
 * Sends requests that all change one event so that they are concurrent: its row is locked until all of them wait for
 * it. Otherwise each would end before the next begins.
 */
export async function atOnce<Response>(
	{ db }: Pick<RunningEvents, 'db'>,
	eventId: string,
	requests: readonly (() => Promise<Response>)[],
): Promise<Response[]> {
	const responses = await db.transaction().execute(async (holder) => {
		await holder.selectFrom('events').select('id').where('id', '=', eventId).forUpdate().execute();
		const sent = requests.map((request) => request());
		await eventually(
			'every request waits for the event',
			async () => (await waitingForLocks(db)) === requests.length,
		);
		return sent;
	});
	return Promise.all(responses);
}
