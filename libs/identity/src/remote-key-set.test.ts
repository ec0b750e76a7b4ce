import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { RefreshedKeySet } from './key-set.ts';
import { createLocalKeySet, openRemoteKeySet, type RemoteKeySetDeps } from './remote-key-set.ts';
import { generateSigningKey, type JsonWebKeySet } from './signing-key.ts';

const { publicJwk: first } = await generateSigningKey();
const { publicJwk: second } = await generateSigningKey();
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const opened: RefreshedKeySet[] = [];

afterEach(() => {
	jest.useRealTimers();
	for (const keys of opened.splice(0)) keys.close();
});

/** A source whose response and clock the test sets, and which counts its calls. */
function keySet(deps: Partial<RemoteKeySetDeps> = {}) {
	const source = {
		response: { keys: [first] } as unknown,
		fetches: 0,
		nowMs: Date.parse('2026-03-01T12:00:00Z'),
	};
	const keys = openRemoteKeySet({
		fetchKeys: async () => {
			source.fetches += 1;
			if (source.response instanceof Error) throw source.response;
			return source.response;
		},
		now: () => new Date(source.nowMs),
		logger,
		random: () => 1,
		...deps,
	});
	opened.push(keys);
	return { keys, source };
}

describe('a remote key set', () => {
	test('finds a published key by its exact kid only', async () => {
		const { keys } = keySet();
		const key = await keys.find(first.kid);
		expect(key?.export({ format: 'jwk' })).toEqual({ kty: 'RSA', n: first.n, e: first.e });
		for (const kid of ['__proto__', 'constructor', '', `${first.kid} `, first.kid.slice(1)])
			expect(await keys.find(kid)).toBeUndefined();
	});

	test('fetches once for many unknown kids at once', async () => {
		const { keys, source } = keySet();
		const found = await Promise.all(Array.from({ length: 100 }, (_, n) => keys.find(`made-up-${n}`)));
		expect(found.every((key) => key === undefined)).toBe(true);
		expect(source.fetches).toBe(1);
	});

	test('fetches for unknown kids at most once in the cool-down, and for known ones never', async () => {
		const { keys, source } = keySet({ unknownKidCooldownMs: 10_000 });
		await keys.find('made-up');
		source.response = { keys: [first, second] };
		source.nowMs += 9_999;
		expect(await keys.find(second.kid)).toBeUndefined();
		expect(source.fetches).toBe(1);
		source.nowMs += 1;
		expect(await keys.find(second.kid)).toBeDefined();
		expect(source.fetches).toBe(2);
		source.nowMs += 60_000;
		await keys.find(first.kid);
		expect(source.fetches).toBe(2);
	});

	test('fetches at once for a new kid, although it has just fetched for one that was good', async () => {
		const { keys, source } = keySet({ unknownKidCooldownMs: 10_000 });
		expect(await keys.find(first.kid)).toBeDefined();
		source.response = { keys: [first, second] };
		expect(await keys.find(second.kid)).toBeDefined();
		expect(source.fetches).toBe(2);
	});

	test('is not blocked by a clock that is set back', async () => {
		const { keys, source } = keySet();
		await keys.find('made-up');
		source.nowMs -= 3_600_000;
		source.response = { keys: [first, second] };
		expect(await keys.find(second.kid)).toBeDefined();
	});

	test.each<[string, unknown]>([
		['the fetch fails', new Error('auth is unavailable')],
		['the response is empty', { keys: [] }],
		['the response is not a key set', '<html>'],
		['every key is unusable', { keys: [{ ...second, n: 'AQAB' }] }],
	])('keeps its keys, marked stale, if %s', async (_name, response) => {
		const { keys, source } = keySet();
		await keys.refresh();
		const fetchedAt = new Date(source.nowMs);
		expect(keys.status()).toEqual({ stale: false, lastResponseAt: fetchedAt });
		source.response = response;
		source.nowMs += 60_000;
		expect(await keys.refresh()).toBe(false);
		expect(await keys.find(first.kid)).toBeDefined();
		// A key with this id may have been published since.
		await expect(keys.find(second.kid)).rejects.toHaveProperty('code', 'SERVICE_UNAVAILABLE');
		expect(keys.status()).toEqual({ stale: true, lastResponseAt: fetchedAt, lastError: expect.any(String) });
		source.response = { keys: [first] };
		expect(await keys.refresh()).toBe(true);
		expect(await keys.find(second.kid)).toBeUndefined();
		expect(keys.status()).toEqual({ stale: false, lastResponseAt: new Date(source.nowMs) });
	});

	test('judges nothing while no keys have ever arrived', async () => {
		const { keys, source } = keySet();
		source.response = new Error('auth is unavailable');
		const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', status: 503 });
		await expect(keys.find(first.kid)).rejects.toEqual(unavailable);
		expect(keys.ready()).toBe(false);
		expect(keys.status()).toEqual({ stale: true, lastError: 'auth is unavailable' });
		await expect(keys.find(first.kid)).rejects.toHaveProperty('headers.Retry-After', expect.any(String));
		expect(source.fetches).toBe(1);
	});

	test('waits for the first fetch, at most for its timeout', async () => {
		let response: (document: unknown) => void = () => undefined;
		const { keys } = keySet({
			fetchKeys: () =>
				new Promise((resolve) => {
					response = resolve;
				}),
		});
		keys.start();
		const finding = keys.find(first.kid);
		response({ keys: [first] });
		expect(await finding).toBeDefined();
		const { keys: hanging } = keySet({ fetchKeys: () => new Promise(() => undefined), timeoutMs: 50 });
		await expect(hanging.find(first.kid)).rejects.toHaveProperty('code', 'SERVICE_UNAVAILABLE');
		expect(hanging.status().lastError).toBe('No response within 50 ms.');
	});

	test('reports withdrawn keys to its listeners, and only changes', async () => {
		const { keys, source } = keySet();
		const reported: string[][] = [];
		keys.onChange(() => {
			throw new Error('a broken listener');
		});
		const stop = keys.onChange((withdrawnKids) => reported.push([...withdrawnKids]));
		await keys.refresh();
		await keys.refresh();
		source.response = { keys: [first, second] };
		await keys.refresh();
		source.response = { keys: [second] };
		await keys.refresh();
		source.response = { keys: [{ ...first, kid: second.kid }] };
		await keys.refresh();
		stop();
		source.response = { keys: [first] };
		await keys.refresh();
		expect(reported).toEqual([[], [], [first.kid], [second.kid]]);
	});

	test('fetches at the start and then regularly, sooner after failures', async () => {
		jest.useFakeTimers();
		const { keys, source } = keySet({ refreshEveryMs: 60_000 });
		source.response = new Error('auth is unavailable');
		keys.start();
		keys.start();
		const fetchesAfter = async (ms: number) => {
			const before = source.fetches;
			await jest.advanceTimersByTimeAsync(ms);
			return source.fetches - before;
		};
		expect(await fetchesAfter(0)).toBe(0);
		expect(source.fetches).toBe(1);
		expect([await fetchesAfter(249), await fetchesAfter(1)]).toEqual([0, 1]);
		expect([await fetchesAfter(499), await fetchesAfter(1)]).toEqual([0, 1]);
		await fetchesAfter(60_000);
		expect(await fetchesAfter(60_000)).toBe(12);
		source.response = { keys: [first] };
		await fetchesAfter(5_000);
		expect(keys.ready()).toBe(true);
		expect(await fetchesAfter(60_000)).toBe(1);
		keys.close();
		expect(await fetchesAfter(600_000)).toBe(0);
	});

	test('when closed aborts the running fetch, fetches no more, and still finds its keys', async () => {
		const { keys, source } = keySet();
		await keys.refresh();
		keys.close();
		expect(await keys.find(first.kid)).toBeDefined();
		source.nowMs += 3_600_000;
		expect(await keys.find('made-up')).toBeUndefined();
		expect(source.fetches).toBe(1);

		let aborted = false;
		const { keys: fetching } = keySet({
			// Longer than the test may take: only closing can end this fetch.
			timeoutMs: 600_000,
			fetchKeys: (signal) =>
				new Promise(() => {
					signal.addEventListener('abort', () => {
						aborted = true;
					});
				}),
		});
		const refreshed = fetching.refresh();
		fetching.close();
		expect(await refreshed).toBe(false);
		expect(aborted).toBe(true);
	});
});

test('a local key set serves what its source publishes', async () => {
	const published: JsonWebKeySet = { keys: [first] };
	let nowMs = 0;
	const keys = createLocalKeySet({ source: async () => published, now: () => new Date(nowMs), logger });
	opened.push(keys);
	expect(await keys.find(first.kid)).toBeDefined();
	published.keys.push(second);
	nowMs += 1_000;
	expect(await keys.find(second.kid)).toBeDefined();
});
