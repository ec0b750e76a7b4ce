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

/** Comes for shared work of a kind, which ends when it is told to. */
function comeTogether(queue: ReturnType<typeof createKeyedQueue>) {
	const works: { readonly items: readonly string[]; end(): void; fail(error: Error): void }[] = [];
	const come = (item: string, kind = 'x', signal = never): Promise<string> => {
		const work = (items: readonly string[]) =>
			new Promise<readonly PromiseSettledResult<string>[]>((resolve, reject) => {
				const outcomes = items.map((each): PromiseSettledResult<string> => {
					const value = `${each} of ${items.length}`;
					return each === 'bad' ? { status: 'rejected', reason: each } : { status: 'fulfilled', value };
				});
				works.push({ items, end: () => resolve(outcomes), fail: reject });
			});
		return queue.together('a', { kind, item, work }, signal);
	};
	return { come, works };
}

test('the caller whose turn begins works for those of its kind directly behind it; each gets its own result', async () => {
	const queue = createKeyedQueue({ atOnce: 1 });
	const { come, works } = comeTogether(queue);
	const coming = Promise.allSettled(['1', '2', 'bad', '3'].map((item) => come(item)));
	const other = come('4', 'y');
	const leave = queue.enter('a', never);
	const last = Promise.all([come('5', 'y'), come('6', 'y')]);
	await settled();
	expect(works.map(({ items }) => items)).toEqual([['1']]);
	works[0]?.end();
	await settled();
	expect(works[1]?.items).toEqual(['2', 'bad', '3']);
	works[1]?.end();
	expect(await coming).toEqual([
		{ status: 'fulfilled', value: '1 of 1' },
		{ status: 'fulfilled', value: '2 of 3' },
		{ status: 'rejected', reason: 'bad' },
		{ status: 'fulfilled', value: '3 of 3' },
	]);
	await settled();
	works[2]?.end();
	expect(await other).toBe('4 of 1');
	(await leave)();
	await settled();
	works[3]?.end();
	expect(await last).toEqual(['5 of 2', '6 of 2']);
});

test('callers that give up before the work are left out, during it they only leave; failed work fails all, and the queue goes on', async () => {
	const queue = createKeyedQueue({ atOnce: 1 });
	const { come, works } = comeTogether(queue);
	const first = come('1');
	const [early, late] = [new AbortController(), new AbortController()];
	const gone = [come('2', 'x', late.signal), come('3', 'x', early.signal)].map((coming) =>
		coming.catch((error: unknown) => error),
	);
	const rest = Promise.allSettled([come('4')]);
	early.abort('early');
	await settled();
	works[0]?.end();
	expect(await first).toBe('1 of 1');
	await settled();
	expect(works[1]?.items).toEqual(['2', '4']);
	late.abort('late');
	expect(await Promise.all(gone)).toEqual(['late', 'early']);
	works[1]?.fail(new Error('lost'));
	expect(await rest).toEqual([{ status: 'rejected', reason: new Error('lost') }]);
	const next = come('5');
	await settled();
	works[2]?.end();
	expect(await next).toBe('5 of 1');
});

test('no more than sixteen are done together', async () => {
	const { come, works } = comeTogether(createKeyedQueue({ atOnce: 1 }));
	const coming = Array.from({ length: 30 }, (_, index) => come(String(index)));
	await settled();
	works[0]?.end();
	await settled();
	works[1]?.end();
	await settled();
	expect(works.map(({ items }) => items.length)).toEqual([1, 16, 13]);
	works[2]?.end();
	expect(await Promise.all(coming)).toHaveLength(30);
});
