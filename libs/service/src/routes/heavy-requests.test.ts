import { expect, test } from '@jest/globals';
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
		heavy.run(caller, never, () => {
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
	const failing = heavy.run('a', never, () => Promise.reject(new Error('broken')));
	const running = heavy.run('a', never, one.work);
	await expect(heavy.run('a', never, one.work)).rejects.toMatchObject({
		code: 'RATE_LIMITED',
		headers: { 'Retry-After': '1' },
	});
	await expect(heavy.run('b', never, async () => 'other')).resolves.toBe('other');
	await expect(failing).rejects.toThrow('broken');
	await expect(heavy.run('a', never, async () => 'again')).resolves.toBe('again');
	one.end();
	await running;
});

test('a request that ends while it waits frees its place', async () => {
	const heavy = createHeavyRequests({ max: 1 });
	const [first, leaving] = [held(), new AbortController()];
	const running = heavy.run('a', never, first.work);
	const waiting = heavy.run('a', leaving.signal, async () => 'never');
	leaving.abort();
	await expect(waiting).rejects.toMatchObject({ code: 'OVERLOADED' });
	first.end();
	await running;
	await expect(heavy.run('a', never, async () => 'free')).resolves.toBe('free');
});
