import { expect, test } from '@jest/globals';
import { createBoundedQueue } from './bounded-queue.ts';

const never = new AbortController().signal;
const refusal = { code: 'OVERLOADED', headers: { 'Retry-After': '2', 'X-Failed-Part': 'password hashing' } };

/** A queue for one at a time and one that waits, and the work that keeps it busy until it is released. */
function busyQueue() {
	const queue = createBoundedQueue({ atOnce: 1, waitingMax: 1, retryAfterMs: 2_000 });
	const held = Promise.withResolvers<string>();
	return { queue, first: queue.run(never, () => held.promise), release: () => held.resolve('first') };
}

test('work whose caller gives up while it waits is not begun, and the next one has its turn', async () => {
	const { queue, first, release } = busyQueue();
	const caller = new AbortController();
	const begun: string[] = [];
	const waiting = queue.run(caller.signal, async () => begun.push('for nobody'));
	caller.abort();
	release();
	await expect(waiting).rejects.toMatchObject(refusal);
	expect(await first).toBe('first');
	await queue.run(never, async () => begun.push('next'));
	expect(begun).toEqual(['next']);
});

test('what comes while enough wait is refused at once, and what waits is done', async () => {
	const { queue, first, release } = busyQueue();
	const waiting = queue.run(never, async () => 'second');
	await expect(queue.run(never, async () => 'third')).rejects.toMatchObject(refusal);
	release();
	expect(await Promise.all([first, waiting])).toEqual(['first', 'second']);
});
