import { expect, test } from '@jest/globals';
import { createFairQueue, type QueueTurn } from './fair-queue.ts';

const never = new AbortController().signal;
const refusal = { code: 'OVERLOADED', headers: { 'Retry-After': '2', 'X-Failed-Part': 'password hashing' } };

/** A queue for one at a time whose first work lasts until `release`; it records the order of the work. */
function busyQueue(waitingMax: number) {
	let refused = 0;
	const onRefused = () => {
		refused += 1;
	};
	const queue = createFairQueue({ atOnce: 1, waitingMax, retryAfterMs: 2_000, onRefused });
	const held = Promise.withResolvers<void>();
	const done: string[] = [];
	const first = queue.run({ key: 'first', signal: never }, () => held.promise);
	const add = (key: string, turn: Partial<QueueTurn> = {}): Promise<unknown> => {
		const name = `${key}${done.length + queue.waiting()}`;
		return queue.run(
			{ key, signal: never, ...turn },
			async () => done.push(turn.preferred ? `${key}!` : key) && name,
		);
	};
	return { queue, add, done, first, release: () => held.resolve(), refused: () => refused };
}

test('sub-queues are served round-robin: a new one with one piece of work waits for one of each other', async () => {
	const { add, done, first, release } = busyQueue(20);
	const all = [...'aaaaabbc'].map((key) => add(key));
	release();
	await Promise.all([first, ...all]);
	expect(done.join('')).toBe('abcabaaa');
});

test('a full queue drops the newest work of its longest line for a shorter one, and refuses the longest', async () => {
	const { add, done, first, release, refused } = busyQueue(4);
	const attacker = [...'aaaa'].map((key) => add(key));
	await expect(add('a')).rejects.toMatchObject(refusal);
	const [b, c] = [add('b'), add('c')];
	await expect(attacker[3]).rejects.toMatchObject(refusal);
	await expect(attacker[2]).rejects.toMatchObject(refusal);
	// Two of a, one of b and c each: no sub-queue is longer than that of the new entry.
	await expect(add('b')).rejects.toMatchObject(refusal);
	release();
	await Promise.all([first, attacker[0], attacker[1], b, c]);
	expect(done.join('')).toBe('abca');
	expect(refused()).toBe(4);
});

test('a queue full of single attempts admits a known device, but no further unknown one', async () => {
	const { add, done, first, release } = busyQueue(2);
	const [a, b] = [add('a'), add('b')];
	await expect(add('c')).rejects.toMatchObject(refusal);
	const known = add('k', { preferred: true });
	await expect(a).rejects.toMatchObject(refusal);
	const second = add('l', { preferred: true });
	await expect(b).rejects.toMatchObject(refusal);
	await expect(add('m', { preferred: true })).rejects.toMatchObject(refusal);
	release();
	await Promise.all([first, known, second]);
	expect(done.join('')).toBe('k!l!');
});

test('work whose caller leaves while it waits is not started, and its place is free at once', async () => {
	const { add, done, first, release, queue } = busyQueue(1);
	const caller = new AbortController();
	const waiting = add('a', { signal: caller.signal });
	caller.abort();
	await expect(waiting).rejects.toMatchObject(refusal);
	expect(queue.waiting()).toBe(0);
	const next = add('b');
	release();
	await Promise.all([first, next]);
	expect(done).toEqual(['b']);
	await expect(add('c', { signal: caller.signal })).rejects.toMatchObject(refusal);
});

test('runs the permitted number at once, and continues after failed work', async () => {
	const queue = createFairQueue({ atOnce: 2, waitingMax: 10, retryAfterMs: 2_000 });
	let running = 0;
	let most = 0;
	const work = async (index: number) => {
		most = Math.max(most, ++running);
		await Promise.resolve();
		running -= 1;
		if (index % 2 === 0) throw new Error('even');
		return index;
	};
	const all = Array.from({ length: 9 }, (_, index) =>
		queue.run({ key: String(index % 3), signal: never }, () => work(index)),
	);
	const results = await Promise.allSettled(all);
	expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(4);
	expect([most, running, queue.waiting()]).toEqual([2, 0, 0]);
});
