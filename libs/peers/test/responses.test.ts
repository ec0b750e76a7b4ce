import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { neverRespond } from '@paddock/testing';
import {
	anna,
	openBench,
	type PeerBench,
	respondText,
	respondWithData,
	respondWithFailure,
} from './peer-bench.ts';

let bench: PeerBench;
beforeEach(() => {
	bench = openBench();
});
afterEach(() => bench.close());

const unavailable = expect.objectContaining({
	code: 'SERVICE_UNAVAILABLE',
	status: 503,
	headers: { 'Retry-After': '2', 'X-Failed-Part': 'members-service' },
	context: { context: 'members' },
});

describe('a call to a peer', () => {
	test('sends the request and returns the data, without fields that the schema does not have', async () => {
		const members = await bench.instance('members-service', respondWithData({ ...anna, notes: 'private' }));
		const data = await bench.call({
			query: { ids: 'a,b', on: undefined, q: 'Grün & Söhne' },
			requestId: 'r-17',
			traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
		});
		expect(data).toEqual(anna);
		const [sent] = members.requests;
		expect(sent?.method).toBe('GET');
		const url = new URL(sent?.url ?? '', 'http://x');
		expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
			'/internal/members/lookup',
			{ ids: 'a,b', q: 'Grün & Söhne' },
		]);
		expect(sent?.headers).toMatchObject({
			'x-request-id': 'r-17',
			traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
			'x-request-deadline-ms': '1000',
			'accept-encoding': 'identity',
			'user-agent': 'events-service',
			'cache-control': 'no-cache',
		});
		expect(sent?.headers).not.toHaveProperty('authorization');
		expect(await bench.outcomes()).toEqual({ responded: 1 });
	});

	test("hands the caller's own token on where that is wanted", async () => {
		const members = await bench.instance('members-service', respondWithData(anna));
		await bench.call({ credentials: { authorization: 'Bearer of-the-caller' } });
		expect(members.requests[0]?.headers.authorization).toBe('Bearer of-the-caller');
	});

	test('keeps its connection', async () => {
		const members = await bench.instance('members-service', respondWithData(anna));
		for (let call = 0; call < 5; call += 1) await bench.call();
		expect(members.connections()).toBe(1);
	});

	test('is undefined for a record that does not exist', async () => {
		await bench.instance('members-service', respondWithFailure(404, 'NOT_FOUND'));
		expect(await bench.call()).toBeUndefined();
		expect(await bench.outcomes()).toEqual({ notFound: 1 });
	});

	test('cannot be led to another host by its path', async () => {
		const members = await bench.instance('members-service', respondWithData(anna));
		await bench.call({ path: '//example.org/x' });
		expect(members.requests[0]?.url).toBe('//example.org/x');
	});
});

describe('an unusable response is a failure of the peer and is not retried', () => {
	test.each([
		['an unknown address', respondWithFailure(404, 'ROUTE_NOT_FOUND'), 'refused'],
		['a 404 of something else', respondText(404, '<h1>Not Found</h1>'), 'refused'],
		['a refusal of the request', respondWithFailure(400, 'INVALID_QUERY_PARAMETER'), 'refused'],
		['a refusal of the caller', respondWithFailure(401, 'INVALID_TOKEN'), 'unauthenticated'],
		['a missing right', respondWithFailure(403, 'FORBIDDEN'), 'refused'],
		['a bug over there', respondWithFailure(500, 'INTERNAL_ERROR'), 'refused'],
		['a redirect', respondText(302, '', { Location: 'http://127.0.0.1:1/' }), 'refused'],
		['nothing', respondText(204, ''), 'refused'],
		['broken JSON', respondText(200, '{"success":true,"data":{"id":"a"'), 'unusable'],
		['no envelope', respondText(200, JSON.stringify(anna)), 'unusable'],
		[
			'a failure with status 200',
			respondText(200, '{"success":false,"data":{},"message":"","timestamp":""}'),
			'unusable',
		],
		['another shape', respondWithData({ id: 'a', name: 17 }), 'unusable'],
		['a compressed body', respondText(200, 'gzip?', { 'Content-Encoding': 'gzip' }), 'unusable'],
		['a huge body', respondWithData({ ...anna, padding: 'x'.repeat(1_100_000) }), 'unusable'],
	] as const)('%s', async (_case, response, outcome) => {
		const members = await bench.instance('members-service', response);
		await expect(bench.call()).rejects.toEqual(unavailable);
		expect(members.requests).toHaveLength(1);
		expect(await bench.outcomes()).toEqual({ [outcome]: 1 });
	});
});

describe('a caller that disconnects', () => {
	test('ends the call at once, with the reason of its signal', async () => {
		const members = await bench.instance('members-service', neverRespond);
		const caller = new AbortController();
		const call = bench.call({ signal: caller.signal });
		const reason = new Error('The caller left.');
		members.requests.push = (...requests) => {
			queueMicrotask(() => caller.abort(reason));
			return Array.prototype.push.apply(members.requests, requests);
		};
		await expect(call).rejects.toBe(reason);
		expect(members.requests).toHaveLength(1);
		expect(await bench.outcomes()).toEqual({ aborted: 1 });
	});

	test('before the call began sends no request', async () => {
		const members = await bench.instance('members-service', respondWithData(anna));
		const reason = new Error('The caller left.');
		await expect(bench.call({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
		expect(members.requests).toHaveLength(0);
	});
});
