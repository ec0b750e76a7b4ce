import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, neverRespond, patient, respondWithStatus, startStopwatch } from '@paddock/testing';
import {
	anna,
	openBench,
	type PeerBench,
	type Responder,
	respondWithData,
	respondWithFailure,
} from './peer-bench.ts';

let bench: PeerBench;
beforeEach(() => {
	bench = openBench({ timeoutMs: 2_000 });
});
afterEach(() => bench.close());

const callMembers = () => bench.call({ credentials: 'service' });

/** Auth that issues `token-1`, `token-2` …, each for a quarter of an hour. */
function tokens(): Responder {
	let count = 0;
	return (req, res) => {
		count += 1;
		respondWithData({ accessToken: `token-${count}`, expiresIn: 900, scopes: [] })(req, res);
	};
}

/** Members that believe only this token. */
function believing(token: () => string): Responder {
	return (req, res) =>
		req.headers.authorization === `Bearer ${token()}`
			? respondWithData(anna)(req, res)
			: respondWithFailure(401, 'INVALID_TOKEN')(req, res);
}

describe('a call with our own token', () => {
	test('is fetched once for concurrent calls', async () => {
		const auth = await bench.instance('auth-service', tokens());
		const members = await bench.instance('members-service', respondWithData(anna));
		const responses = await Promise.all(Array.from({ length: 20 }, callMembers));
		expect(responses).toEqual(Array(20).fill(anna));
		expect(auth.requests.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
			[
				'POST',
				'/internal/service-tokens',
				{ client: 'events-service', secret: 'the-secret-of-events-in-these-tests' },
			],
		]);
		expect(new Set(members.requests.map(({ headers }) => headers.authorization))).toEqual(
			new Set(['Bearer token-1']),
		);
	});

	test('gets a new one a minute before the old one ends', async () => {
		const auth = await bench.instance('auth-service', tokens());
		const members = await bench.instance('members-service', respondWithData(anna));
		await callMembers();
		bench.clock.advance(839_000);
		await callMembers();
		expect(auth.requests).toHaveLength(1);
		bench.clock.advance(1_000);
		await callMembers();
		expect(members.requests.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token-1',
			'Bearer token-1',
			'Bearer token-2',
		]);
	});

	test('that is refused drops the token and tries once with a new one', async () => {
		const auth = await bench.instance('auth-service', tokens());
		await bench.instance(
			'members-service',
			believing(() => 'token-2'),
		);
		expect(await callMembers()).toEqual(anna);
		expect(await callMembers()).toEqual(anna);
		expect(auth.requests).toHaveLength(2);
	});

	test('that is refused late does not cost the others the new token', async () => {
		await bench.close();
		bench = openBench({ timeoutMs: 5_000 });
		const auth = await bench.instance('auth-service', tokens());
		const refusals: (() => void)[] = [];
		await bench.instance('members-service', (req, res) => {
			if (req.headers.authorization === 'Bearer token-2') respondWithData(anna)(req, res);
			else refusals.push(() => respondWithFailure(401, 'INVALID_TOKEN')(req, res));
		});
		const calls = [callMembers(), callMembers()];
		await eventually('both are called with the old token', () => refusals.length === 2);
		refusals[0]?.();
		expect(await Promise.race(calls)).toEqual(anna);
		refusals[1]?.();
		expect(await Promise.all(calls)).toEqual([anna, anna]);
		expect(auth.requests).toHaveLength(2);
	});

	test('that is refused again fails the call', async () => {
		const auth = await bench.instance('auth-service', tokens());
		const members = await bench.instance('members-service', respondWithFailure(401, 'INVALID_TOKEN'));
		await expect(callMembers()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
		expect([auth.requests.length, members.requests.length]).toEqual([2, 2]);
	});

	test("a caller's token that is refused is not exchanged for ours", async () => {
		const auth = await bench.instance('auth-service', tokens());
		const members = await bench.instance('members-service', respondWithFailure(401, 'TOKEN_EXPIRED'));
		const authorization = 'Bearer of-the-caller';
		await expect(bench.call({ credentials: { authorization } })).rejects.toMatchObject({ status: 503 });
		expect([auth.requests.length, members.requests.length]).toEqual([0, 1]);
	});

	test.each([
		['auth is unknown', undefined],
		['auth refuses the secret', respondWithFailure(401, 'INVALID_CREDENTIALS')],
		['auth is down', respondWithStatus(503)],
		['auth never responds', neverRespond],
		['auth returns another body', respondWithData({ token: 'x' })],
	] as const)('is not made when %s', async (_case, response) => {
		await bench.close();
		bench = openBench({ timeoutMs: 400 });
		if (response !== undefined) await bench.instance('auth-service', response as Responder);
		const members = await bench.instance('members-service', respondWithData(anna));
		const elapsedMs = startStopwatch();
		await expect(callMembers()).rejects.toMatchObject({
			code: 'SERVICE_UNAVAILABLE',
			headers: { 'Retry-After': '2' },
			context: { context: 'auth' },
		});
		expect(elapsedMs()).toBeLessThan(patient(800));
		expect(members.requests).toHaveLength(0);
		expect(await bench.outcomes()).toEqual({ noToken: 1 });
	});

	test('is made again as soon as auth is back', async () => {
		await bench.instance('members-service', respondWithData(anna));
		await expect(callMembers()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
		await bench.instance('auth-service', tokens());
		expect(await callMembers()).toEqual(anna);
	});

	test('whose caller disconnects does not abort the token of the others', async () => {
		let respondLater = (): void => undefined;
		const auth = await bench.instance('auth-service', (req, res) => {
			respondLater = () => tokens()(req, res);
		});
		await bench.instance('members-service', respondWithData(anna));
		const gone = new AbortController();
		const left = bench.call({ credentials: 'service', signal: gone.signal });
		const stays = callMembers();
		while (auth.requests.length === 0) await new Promise(setImmediate);
		gone.abort(new Error('left'));
		await expect(left).rejects.toThrow('left');
		respondLater();
		expect(await stays).toEqual(anna);
		expect(auth.requests).toHaveLength(1);
	});
});
