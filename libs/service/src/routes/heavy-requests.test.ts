import { expect, jest, test } from '@jest/globals';
import { requestSignal, withDeadline } from '@paddock/resilience';
import { createHeavyRequests } from './heavy-requests.ts';

const never = new AbortController().signal;

function held() {
	const { promise, resolve } = Promise.withResolvers<void>();
	return { work: () => promise, end: resolve };
}

test('only so many run at once, in the order in which they came', async () => {
	const heavy = createHeavyRequests({ max: 1 });
	const [first, second] = [held(), held()];
	const started: number[] = [];
	const run = (caller: string, number: number, { work }: ReturnType<typeof held>) =>
		heavy.run('heavy', caller, never, () => {
			started.push(number);
			return work();
		});
	const both = [run('a', 1, first), run('b', 2, second)];
	await Promise.resolve();
	expect(started).toEqual([1]);
	first.end();
	await both[0];
	await Promise.resolve();
	expect(started).toEqual([1, 2]);
	second.end();
	await both[1];
});

test('a caller has two at once; a third is 429, and admitted after one has ended or failed', async () => {
	const heavy = createHeavyRequests({ max: 5 });
	const one = held();
	const failing = heavy.run('heavy', 'a', never, () => Promise.reject(new Error('broken')));
	const running = heavy.run('heavy', 'a', never, one.work);
	await expect(heavy.run('heavy', 'a', never, one.work)).rejects.toMatchObject({
		code: 'RATE_LIMITED',
		headers: { 'Retry-After': '1' },
	});
	await expect(heavy.run('heavy', 'b', never, async () => 'other')).resolves.toBe('other');
	await expect(failing).rejects.toThrow('broken');
	await expect(heavy.run('heavy', 'a', never, async () => 'again')).resolves.toBe('again');
	one.end();
	await running;
});

test('a request that ends while it waits frees its place', async () => {
	const heavy = createHeavyRequests({ max: 1 });
	const [first, leaving] = [held(), new AbortController()];
	const running = heavy.run('heavy', 'a', never, first.work);
	const waiting = heavy.run('heavy', 'a', leaving.signal, async () => 'never');
	leaving.abort();
	await expect(waiting).rejects.toMatchObject({ code: 'OVERLOADED' });
	first.end();
	await running;
	await expect(heavy.run('heavy', 'a', never, async () => 'free')).resolves.toBe('free');
});

test.each([
	['heavy', 'OVERLOADED'],
	['list', 'RATE_LIMITED'],
] as const)(
	'a wait of a %s request ends before its deadline',
	async (load, code) => {
		jest.useFakeTimers();
		const requests = createHeavyRequests({ max: 1 });
		const first = held();
		const running = requests.run(load, 'a', never, first.work);
		const waiting = withDeadline(1_000, () => requests.run(load, 'a', never, async () => 'never'));
		const refused = expect(waiting).rejects.toMatchObject({ code });
		await jest.advanceTimersByTimeAsync(800);
		await refused;
		jest.useRealTimers();
		first.end();
		await running;
	},
	2_000,
);

test('the lists of one caller use a part of the connections, and wait for each other; those of others do not wait', async () => {
	const requests = createHeavyRequests({ max: 2 });
	const slow = Array.from({ length: 4 }, held);
	const started: number[] = [];
	const running = slow.map(({ work }, number) =>
		requests.run('list', 'a', never, () => {
			started.push(number);
			return work();
		}),
	);
	await expect(requests.run('list', 'b', never, async () => 'other')).resolves.toBe('other');
	expect(started).toEqual([0, 1]);
	for (const { end } of slow) end();
	await Promise.all(running);
	expect(started).toEqual([0, 1, 2, 3]);
});

test('a list that waits too long for the earlier ones of its caller is 429', async () => {
	jest.useFakeTimers();
	const requests = createHeavyRequests({ max: 1 });
	const slow = held();
	const running = requests.run('list', 'a', never, slow.work);
	const waiting = requests.run('list', 'a', never, async () => 'never');
	const refused = expect(waiting).rejects.toMatchObject({ code: 'RATE_LIMITED' });
	await jest.advanceTimersByTimeAsync(3_000);
	await refused;
	jest.useRealTimers();
	slow.end();
	await running;
});

test('the queries of a list end with its request', async () => {
	const requests = createHeavyRequests({ max: 1 });
	const leaving = new AbortController();
	const signal = await requests.run('list', 'a', leaving.signal, async () => requestSignal.getStore());
	leaving.abort();
	expect(signal?.aborted).toBe(true);
});
