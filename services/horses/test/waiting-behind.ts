import type { Database } from '@paddock/database';
import { eventually, waitingForLocks } from '@paddock/testing';
import type { Transaction } from 'kysely';
import type { HorsesSchema } from '../src/database-schema.ts';

/** Sends requests while a transaction locks their rows; it ends when all of them wait. */
export async function waitingBehind<Response>(
	db: Database<HorsesSchema>,
	hold: (transaction: Transaction<HorsesSchema>) => Promise<unknown>,
	requests: readonly (() => Promise<Response>)[],
): Promise<Response[]> {
	const responses = await db.transaction().execute(async (transaction) => {
		await hold(transaction);
		const sent = requests.map((send) => send());
		const all = async () => (await waitingForLocks(transaction)) === requests.length;
		await eventually('all of them wait', all, 5_000);
		return sent;
	});
	return Promise.all(responses);
}
