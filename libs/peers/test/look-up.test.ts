import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createMovingClock } from '@paddock/testing';
import { createFoundCodes, createLookUp } from '../src/index.ts';
import { openBench, type PeerBench, respondWithData, respondWithFailure, rider } from './peer-bench.ts';

let bench: PeerBench;
beforeEach(async () => {
	bench = openBench();
	await bench.instance(
		'auth-service',
		respondWithData({ accessToken: 'a-token', expiresIn: 600, scopes: [] }),
	);
});
afterEach(() => bench.close());

const context = { requestId: 'request-1', traceparent: '00-1-1-01' };
const lookUp = (ids: readonly string[]) =>
	createLookUp(
		bench.peers.peer('members-service'),
		'/internal/members/lookup',
		rider,
	)(ids, {
		...context,
		signal: new AbortController().signal,
	});

test('a lookup of many ids makes several calls, each id once, and omits unknown ids', async () => {
	const members = await bench.instance('members-service', (req, res) => {
		const ids = new URL(req.url ?? '', 'http://members').searchParams.get('ids')?.split(',') ?? [];
		const items = ids.filter((id) => id !== 'r7').map((id) => ({ id, name: `Rider ${id}` }));
		respondWithData({ items })(req, res);
	});
	const ids = Array.from({ length: 101 }, (_, index) => `r${index}`);
	const found = await lookUp([...ids, ...ids]);
	expect([...found.keys()].sort()).toEqual(ids.filter((id) => id !== 'r7').sort());
	expect(found.get('r100')).toEqual({ id: 'r100', name: 'Rider r100' });
	expect(members.requests).toHaveLength(3);
	expect((await lookUp([])).size).toBe(0);
	expect(members.requests).toHaveLength(3);
});

// A service of another version has no such route; its 404 must not make the ids unknown.
test('a lookup that is not found is SERVICE_UNAVAILABLE', async () => {
	await bench.instance('members-service', respondWithFailure(404, 'NOT_FOUND'));
	await expect(lookUp(['r1'])).rejects.toMatchObject({
		code: 'SERVICE_UNAVAILABLE',
		headers: { 'Retry-After': '2', 'X-Failed-Part': 'members-service' },
	});
});

test('a found code is known for five minutes and no longer', () => {
	const clock = createMovingClock();
	const codes = createFoundCodes(clock.now);
	expect(codes.has('AT')).toBe(false);
	codes.add('AT');
	clock.advance(5 * 60_000 - 1);
	expect(codes.has('AT')).toBe(true);
	clock.advance(1);
	expect(codes.has('AT')).toBe(false);
	codes.add('AT');
	expect(codes.has('AT')).toBe(true);
});

/** Members that answers when `release` is called, with the version that it has then. */
async function heldMembers() {
	const state = { version: 1, held: [] as (() => void)[] };
	const members = await bench.instance('members-service', (req, res) => {
		const ids = new URL(req.url ?? '', 'http://members').searchParams.get('ids')?.split(',') ?? [];
		state.held.push(() => {
			const items = ids.map((id) => ({ id, name: `${id} v${state.version}` }));
			respondWithData({ items })(req, res);
		});
	});
	const arrived = async (count: number): Promise<void> => {
		while (state.held.length < count) await new Promise((resolve) => setImmediate(resolve));
	};
	const release = (): void => {
		for (const respond of state.held.splice(0)) respond();
	};
	return { members, state, arrived, release };
}

const riders = () =>
	createLookUp(bench.peers.peer('members-service'), '/internal/members/lookup', rider, {
		nowMs: () => bench.clock.now().getTime(),
	});
const request = (abort = new AbortController()) => ({ ...context, signal: abort.signal });

// 50 clients that enter one event would make 150 calls.
test('requests that arrive during two calls share the next one, and read nothing that is older than their question', async () => {
	const { members, state, arrived, release } = await heldMembers();
	const find = riders();
	const early = [find(['r1'], request()), find(['r2'], request())];
	await arrived(2);
	const leaving = new AbortController();
	const late = [find(['r1', 'r3'], request()), find(['r4'], request())];
	const left = find(['r5'], request(leaving));
	await arrived(3);
	leaving.abort(new Error('The caller left.'));
	await expect(left).rejects.toThrow('The caller left.');
	state.version = 2;
	release();
	expect((await early[0])?.get('r1')?.name).toBe('r1 v2');
	expect([...((await late[0]) ?? [])].map(([id]) => id)).toEqual(['r1', 'r3']);
	expect([...((await late[1]) ?? [])].map(([id]) => id)).toEqual(['r4']);
	expect(members.requests.map(({ url }) => decodeURIComponent(url).split('ids=')[1])).toEqual([
		'r1',
		'r2',
		'r1,r3,r4,r5',
	]);
});

// An instance that hangs must not delay the callers that another one could serve.
test('a request waits a few milliseconds for others at most', async () => {
	const { members, arrived, release } = await heldMembers();
	const find = riders();
	const hanging = [find(['r1'], request()), find(['r2'], request())];
	await arrived(2);
	const next = find(['r3'], request());
	await arrived(3);
	expect(members.requests).toHaveLength(3);
	release();
	await Promise.all([...hanging, next]);
});

test('a request knows a record that it has read for a second; another request reads it anew', async () => {
	const members = await bench.instance('members-service', respondWithData({ items: [] }));
	const find = riders();
	const one = request();
	await find(['r1'], one);
	expect((await find(['r1'], one)).size).toBe(0);
	expect(members.requests).toHaveLength(1);
	await find(['r1'], request());
	expect(members.requests).toHaveLength(2);
	bench.clock.advance(1_000);
	await find(['r1'], one);
	expect(members.requests).toHaveLength(3);
});
