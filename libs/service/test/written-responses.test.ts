import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runToyService, type ToyService } from './toy-service.ts';

let toys: ToyService;
beforeAll(async () => {
	toys = await runToyService();
});
afterAll(() => toys.close());

describe('a route that reports something as unavailable', () => {
	test('responds with 503 and the data, or with 200', async () => {
		const full = await toys.send('GET', '/box?full=true');
		expect([full.status, JSON.parse(full.text)]).toEqual([
			503,
			{ success: false, data: { full: true }, message: 'Done', timestamp: expect.any(String) },
		]);
		const empty = await toys.send('GET', '/box?full=false');
		expect([empty.status, JSON.parse(empty.text)]).toMatchObject([200, { success: true }]);
	});
});

describe('a route with an alternative media type', () => {
	const read = (Accept: string, method = 'GET') => toys.send(method, '/picture', { headers: { Accept } });

	test.each([
		['text/html', 'text/html; charset=utf-8', 'Accept'],
		['text/html, */*;q=0.8', 'text/html; charset=utf-8', 'Accept'],
		['text/html;charset=utf-8, application/json;q=0.8', 'text/html; charset=utf-8', 'Accept'],
		['*/*', 'application/json; charset=utf-8', 'Accept, Accept-Encoding'],
		['application/json, text/html', 'application/json; charset=utf-8', 'Accept, Accept-Encoding'],
	])('for Accept: %s returns %s', async (accept, type, vary) => {
		const { status, headers } = await read(accept);
		expect([status, headers.get('Content-Type')]).toEqual([200, type]);
		expect(headers.get('Vary')).toBe(vary);
		expect(headers.get('Cache-Control')).toBe('no-cache');
	});

	test('responds to HEAD with the headers of the accepted type', async () => {
		const { headers, text } = await read('text/html', 'HEAD');
		expect([headers.get('Content-Type'), text]).toEqual(['text/html; charset=utf-8', '']);
	});

	test('refuses any other', async () => {
		const { status, headers } = await read('image/png');
		expect([status, headers.get('Vary')]).toEqual([406, 'Accept']);
	});
});

test('an error of a response writer is a failure like that of a handler', async () => {
	const { status, code } = await toys.send('GET', '/torn', { headers: { Accept: 'image/png' } });
	expect([status, code]).toEqual([404, 'NOT_FOUND']);
});
