import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PaddockError } from '../src/index.ts';
import { clientOf, fail, type ScriptedGateway, scriptedGateway, succeed } from './scripted-gateway.ts';

let gateway: ScriptedGateway;

beforeAll(async () => {
	gateway = await scriptedGateway();
});

afterAll(() => gateway.close());

test('a failure has code, status, message, request id, field errors and details', async () => {
	const errors = [{ field: 'name', code: 'REQUIRED', message: 'is required' }];
	gateway.script(fail(400, 'VALIDATION_ERROR', {}, { errors, hint: 'x' }));
	const error = await clientOf(gateway)
		.get('/api/ping')
		.catch((caught: unknown) => caught);
	expect(error).toBeInstanceOf(PaddockError);
	expect(error).toMatchObject({
		name: 'PaddockError',
		message: 'failed: VALIDATION_ERROR',
		code: 'VALIDATION_ERROR',
		status: 400,
		requestId: 'request-1',
		errors,
		data: { hint: 'x' },
		retryAfterMs: undefined,
	});
});

test.each(['<html>Bad gateway</html>', 'null', '{"error":"x"}', ''])(
	'%p from a proxy is an INVALID_RESPONSE',
	async (text) => {
		gateway.script((res) => res.writeHead(502, { 'Content-Type': 'text/html' }).end(text));
		await expect(clientOf(gateway).get('/api/ping')).rejects.toMatchObject({
			name: 'PaddockError',
			code: 'INVALID_RESPONSE',
			status: 502,
			requestId: undefined,
			errors: [],
		});
	},
);

test('a health report is the result even with the status 503', async () => {
	const report = { status: 'DOWN', components: {} };
	gateway.script((res) =>
		res
			.writeHead(503, { 'Content-Type': 'application/json' })
			.end(JSON.stringify({ success: false, data: report, message: 'DOWN', timestamp: '' })),
	);
	expect(await clientOf(gateway).get('/actuator/health')).toEqual(report);
	expect(gateway.requests).toHaveLength(1);
});

test('documents without an envelope are returned as they are', async () => {
	gateway.script((res) => res.writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8' }).end('a;b\r\n'));
	const csv: string = await clientOf(gateway).get('/api/events/{id}/entries.csv', { path: { id: 'x' } });
	expect(csv).toBe('a;b\r\n');
	gateway.script((res) =>
		res.writeHead(200, { 'Content-Type': 'application/jwk-set+json' }).end('{"keys":[]}'),
	);
	expect(await clientOf(gateway).get('/.well-known/jwks.json')).toEqual({ keys: [] });
});

test.each([204, 205])('a %d without a body is a success', async (status) => {
	const fetch = async () => new Response(null, { status });
	expect(await clientOf(gateway, { fetch }).get('/api/ping')).toBeFalsy();
});

test('path and query are encoded; sort is one parameter, tag one for each value', async () => {
	gateway.script(succeed({}));
	const paddock = clientOf(gateway);
	await paddock.get('/api/masterdata/countries/by-code/{code}', { path: { code: 'a/b' } });
	await paddock.get('/api/horses', {
		query: { breed: 'Österreichisches Warmblut', sort: ['name', '-birthYear'] },
	});
	await paddock.get('/actuator/metrics/{name}', {
		path: { name: 'up' },
		query: { tag: ['route:/api,x', 'method:GET'] },
	});
	expect(gateway.requests.map(({ url }) => url)).toEqual([
		'/api/masterdata/countries/by-code/a%2Fb',
		'/api/horses?breed=%C3%96sterreichisches%20Warmblut&sort=name,-birthYear',
		'/actuator/metrics/up?tag=route%3A%2Fapi%2Cx&tag=method%3AGET',
	]);
});

const page = (items: readonly unknown[], hasNext: boolean, nextCursor?: string) =>
	succeed({ items, pagination: { hasNext, nextCursor } });

test('a list is read page by page, only as far as the loop goes', async () => {
	gateway.script(page([1, 2], true, 'a+b'), page([3, 4], true, 'c'), page([5], false));
	const found: unknown[] = [];
	for await (const horse of clientOf(gateway).items('/api/horses', { query: { sex: ['MARE'], size: 2 } }))
		found.push(horse);
	expect(found).toEqual([1, 2, 3, 4, 5]);
	expect(gateway.requests.map(({ url }) => url)).toEqual([
		'/api/horses?sex=MARE&size=2',
		'/api/horses?sex=MARE&size=2&cursor=a%2Bb',
		'/api/horses?sex=MARE&size=2&cursor=c',
	]);

	gateway.script(page([1, 2], true), page([3], false));
	for await (const _ of clientOf(gateway).items('/api/horses'));
	expect(gateway.requests.map(({ url }) => url)).toEqual(['/api/horses', '/api/horses?page=2']);

	gateway.script(page([1, 2], true));
	for await (const { items, pagination } of clientOf(gateway).pages('/api/members/clubs')) {
		expect([items, pagination.hasNext]).toEqual([[1, 2], true]);
		break;
	}
	expect(gateway.requests).toHaveLength(1);
});
