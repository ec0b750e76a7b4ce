import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { neverRespond } from '@paddock/testing';
import { anna, answerData, answerFailure, answerText, openBench, type PeerBench } from './peer-bench.ts';

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
	test('sends what was asked and hands back the data, without what the schema does not know', async () => {
		const members = await bench.instance('members-service', answerData({ ...anna, notes: 'private' }));
		const data = await bench.ask({
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
		});
		expect(sent?.headers).not.toHaveProperty('authorization');
		expect(await bench.outcomes()).toEqual({ answered: 1 });
	});

	test("hands the caller's own token on where that is wanted", async () => {
		const members = await bench.instance('members-service', answerData(anna));
		await bench.ask({ credentials: { authorization: 'Bearer of-the-caller' } });
		expect(members.requests[0]?.headers.authorization).toBe('Bearer of-the-caller');
	});

	test('keeps its connection', async () => {
		const members = await bench.instance('members-service', answerData(anna));
		for (let call = 0; call < 5; call += 1) await bench.ask();
		expect(members.connections()).toBe(1);
	});

	test('is undefined for a record that does not exist', async () => {
		await bench.instance('members-service', answerFailure(404, 'NOT_FOUND'));
		expect(await bench.ask()).toBeUndefined();
		expect(await bench.outcomes()).toEqual({ notFound: 1 });
	});

	test('cannot be led to another host by its path', async () => {
		const members = await bench.instance('members-service', answerData(anna));
		await bench.ask({ path: '//example.org/x' });
		expect(members.requests[0]?.url).toBe('//example.org/x');
	});
});

describe('an answer that is of no use is a failure of the peer, and is not asked for twice', () => {
	test.each([
		['an address that nobody knows', answerFailure(404, 'ROUTE_NOT_FOUND'), 'refused'],
		['a 404 of something else', answerText(404, '<h1>Not Found</h1>'), 'refused'],
		['a refusal of what was asked', answerFailure(400, 'INVALID_QUERY_PARAMETER'), 'refused'],
		['a refusal of the caller', answerFailure(401, 'INVALID_TOKEN'), 'unauthenticated'],
		['a missing right', answerFailure(403, 'FORBIDDEN'), 'refused'],
		['a bug over there', answerFailure(500, 'INTERNAL_ERROR'), 'refused'],
		['a redirect', answerText(302, '', { Location: 'http://127.0.0.1:1/' }), 'refused'],
		['nothing', answerText(204, ''), 'refused'],
		['broken JSON', answerText(200, '{"success":true,"data":{"id":"a"'), 'unusable'],
		['no envelope', answerText(200, JSON.stringify(anna)), 'unusable'],
		[
			'a failure with status 200',
			answerText(200, '{"success":false,"data":{},"message":"","timestamp":""}'),
			'unusable',
		],
		['another shape', answerData({ id: 'a', name: 17 }), 'unusable'],
		['a compressed body', answerText(200, 'gzip?', { 'Content-Encoding': 'gzip' }), 'unusable'],
		['a huge body', answerData({ ...anna, padding: 'x'.repeat(1_100_000) }), 'unusable'],
	] as const)('%s', async (_case, answer, outcome) => {
		const members = await bench.instance('members-service', answer);
		await expect(bench.ask()).rejects.toEqual(unavailable);
		expect(members.requests).toHaveLength(1);
		expect(await bench.outcomes()).toEqual({ [outcome]: 1 });
	});
});

describe('a caller who leaves', () => {
	test('ends the call at once, with the reason of its signal', async () => {
		const members = await bench.instance('members-service', neverRespond);
		const gone = new AbortController();
		const call = bench.ask({ signal: gone.signal });
		const reason = new Error('The caller left.');
		members.requests.push = (...requests) => {
			queueMicrotask(() => gone.abort(reason));
			return Array.prototype.push.apply(members.requests, requests);
		};
		await expect(call).rejects.toBe(reason);
		expect(members.requests).toHaveLength(1);
		expect(await bench.outcomes()).toEqual({ aborted: 1 });
	});

	test('before it began asks nobody', async () => {
		const members = await bench.instance('members-service', answerData(anna));
		const reason = new Error('gone');
		await expect(bench.ask({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
		expect(members.requests).toHaveLength(0);
	});
});
