import { expect, test } from '@jest/globals';
import { createKeyedQueue } from './keyed-queue.ts';

const never = new AbortController().signal;

/** Waits in the queue, and logs its name when it is served. */
function enter(queue: ReturnType<typeof createKeyedQueue>, key: string, log: string[], name: string) {
	return queue.enter(key, never).then((leave) => {
		log.push(name);
		return leave;
	});
}

/** Until all pending callbacks have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('runs one caller at a time, in the order of the calls', async () => {
	const queue = createKeyedQueue({ atOnce: 1 });
	const log: string[] = [];
	const [first, second, third] = ['1', '2', '3'].map((name) => enter(queue, 'a', log, name));
	await settled();
	expect(log).toEqual(['1']);
	(await first)?.();
	await settled();
	expect(log).toEqual(['1', '2']);
	(await second)?.();
	(await third)?.();
	expect(log).toEqual(['1', '2', '3']);
	await enter(queue, 'a', log, 'later');
	expect(log).toHaveLength(4);
});

test('separates keys, and releases once', async () => {
	const queue = createKeyedQueue({ atOnce: 1 });
	const log: string[] = [];
	const leave = await enter(queue, 'a', log, 'a1');
	const waiting = ['a2', 'a3'].map((name) => enter(queue, 'a', log, name));
	await enter(queue, 'b', log, 'b1');
	leave();
	leave();
	await settled();
	expect(log).toEqual(['a1', 'b1', 'a2']);
	expect(waiting).toHaveLength(2);
});

test('a caller that aborts leaves the queue, and the others keep their order', async () => {
	const queue = createKeyedQueue({ atOnce: 1 });
	const log: string[] = [];
	const leave = await enter(queue, 'a', log, '1');
	const impatient = new AbortController();
	const given = queue.enter('a', impatient.signal);
	const behind = enter(queue, 'a', log, '3');
	impatient.abort(new Error('The caller left.'));
	await expect(given).rejects.toThrow('The caller left.');
	leave();
	await behind;
	expect(log).toEqual(['1', '3']);
	await expect(queue.enter('a', impatient.signal)).rejects.toThrow('The caller left.');
});

test('admits as many at once as it is told, and the next one when any of them leaves', async () => {
	const queue = createKeyedQueue({ atOnce: 2 });
	const log: string[] = [];
	const [first, second, third, fourth] = ['1', '2', '3', '4'].map((name) => enter(queue, 'a', log, name));
	await settled();
	expect(log).toEqual(['1', '2']);
	(await second)?.();
	await settled();
	expect(log).toEqual(['1', '2', '3']);
	(await first)?.();
	(await third)?.();
	(await fourth)?.();
	expect(log).toEqual(['1', '2', '3', '4']);
	await enter(queue, 'a', log, 'later');
	await enter(queue, 'a', log, 'and another');
	expect(log).toHaveLength(6);
});

test('while many wait, those who come gather and prepare together once few are left', async () => {
	const queue = createKeyedQueue({ atOnce: 1 });
	const log: string[] = [];
	const turns = Array.from({ length: 9 }, (_, index) => enter(queue, 'a', log, `${index}`));
	const gather = (key: string, name: string, signal = never) =>
		queue.gather(key, signal).then(
			() => log.push(name),
			() => log.push(`${name} gave up`),
		);
	const impatient = new AbortController();
	const gathering = [
		gather('a', 'x'),
		gather('a', 'y', impatient.signal),
		gather('a', 'z'),
		gather('b', 'b'),
	];
	impatient.abort();
	await settled();
	expect(log.toSorted()).toEqual(['0', 'b', 'y gave up']);
	(await turns[0])?.();
	await settled();
	expect(log.slice(3)).toEqual(['1']); // eight wait
	(await turns[1])?.();
	await settled();
	expect(log.slice(4).toSorted()).toEqual(['2', 'x', 'z']);
	await gather('a', 'few wait');
	await Promise.all(gathering);
	expect(log).toHaveLength(8);
});

test('those who gather go on once the callers before them have given up', async () => {
	const queue = createKeyedQueue({ atOnce: 1 });
	const leaving = new AbortController();
	await queue.enter('a', never);
	const turns = Array.from({ length: 7 }, () => queue.enter('a', leaving.signal).catch(() => 'left'));
	const gathering = queue.gather('a', never);
	leaving.abort();
	expect(await Promise.all(turns)).toEqual(Array(7).fill('left'));
	await gathering;
});
