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
