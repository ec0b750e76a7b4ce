import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rawRequest } from '@paddock/testing';
import { runToyService, type ToyService } from './toy-service.ts';

let toys: ToyService;
beforeAll(async () => {
	toys = await runToyService();
});
afterAll(() => toys.close());

/** The response as it is on the connection; fetch would decode it. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
	const lines = Object.entries({ Host: 'a', Connection: 'close', ...headers });
	const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
	const response = await rawRequest(toys.port, `${method} ${path} HTTP/1.1\r\n${head}\r\n`);
	const bytes = Buffer.from(response.body, 'latin1');
	const { etag, vary, 'content-encoding': coding, 'content-length': length } = response.headers;
	return { status: response.status, headers: response.headers, bytes, etag, vary, coding, length };
}

const long = '/manual?lines=100';
const gzip = { 'Accept-Encoding': 'gzip, deflate, br' };

describe('the coding of a response', () => {
	test.each([
		['gzip', 'gzip'],
		['deflate, GZIP;q=1.0', 'gzip'],
		['br, gzip;q=0.1', 'gzip'],
		['*', 'gzip'],
		['gzip;q=0', undefined],
		['*;q=0', undefined],
		['br', undefined],
		['gzip;q=0.4, identity;q=0.5', undefined],
		['', undefined],
	])('for Accept-Encoding: %s is %s', async (accepted, expected) => {
		const response = await get(long, { 'Accept-Encoding': accepted });
		expect([response.status, response.coding, response.vary]).toEqual([200, expected, 'Accept-Encoding']);
		const text = expected === undefined ? response.bytes : gunzipSync(response.bytes);
		expect(JSON.parse(text.toString()).data.version).toBe(3);
		expect(response.length).toBe(String(response.bytes.length));
	});

	test('is identity without Accept-Encoding, and for a body of less than 1 KB', async () => {
		expect(await get(long)).toMatchObject({ coding: undefined, vary: 'Accept-Encoding' });
		expect(await get('/manual?lines=1', gzip)).toMatchObject({ coding: undefined, vary: 'Accept-Encoding' });
	});

	test('is identity for a failure and for the response to a POST, which may contain a token', async () => {
		const failure = await get(
			`/toys?${Array.from({ length: 50 }, (_, index) => `n${index}=1`).join('&')}`,
			gzip,
		);
		expect(failure).toMatchObject({ status: 400, coding: undefined });
		expect(failure.bytes.length).toBeGreaterThan(1_024);
		const posted = await toys.send('POST', '/echo', { body: { hay: 'hay '.repeat(1_000) }, headers: gzip });
		expect([posted.status, posted.headers.get('Content-Encoding')]).toEqual([200, null]);
	});
});

describe('a compressed response', () => {
	test('has a strong tag of its own, since its bytes differ', async () => {
		expect([(await get(long)).etag, (await get(long, gzip)).etag]).toEqual(['"3"', '"3-gzip"']);
	});

	test.each([
		['"3-gzip"', gzip, 304],
		['"3"', gzip, 200],
		['"3"', {}, 304],
		['"3-gzip"', {}, 200],
	])('If-None-Match: %s with %j is %d', async (tag, accepted, status) => {
		const response = await get(long, { ...accepted, 'If-None-Match': tag });
		expect([response.status, response.vary]).toEqual([status, 'Accept-Encoding']);
		if (status === 304)
			expect([response.etag, response.coding, response.bytes.length]).toEqual([tag, undefined, 0]);
	});

	test('to HEAD has the headers of GET, and no body', async () => {
		const [head, whole] = [await get('/prices.csv', gzip, 'HEAD'), await get('/prices.csv', gzip)];
		const comparable = ({ etag, vary, coding, length }: typeof head) => ({ etag, vary, coding, length });
		expect(comparable(head)).toEqual(comparable(whole));
		expect([head.coding, head.bytes.length]).toEqual(['gzip', 0]);
	});

	test('is whole if a range is requested', async () => {
		const response = await get(long, { ...gzip, Range: 'bytes=0-9' });
		expect([response.status, response.headers['content-range']]).toEqual([200, undefined]);
		expect(JSON.parse(gunzipSync(response.bytes).toString()).data.text).toContain('Oil the rockers.');
	});

	test('may be a file in another format, with the same weak tag as its plain form', async () => {
		const [plain, compressed] = [await get('/prices.csv'), await get('/prices.csv', gzip)];
		expect(gunzipSync(compressed.bytes)).toEqual(plain.bytes);
		expect(compressed.etag).toBe(plain.etag);
		expect(compressed.headers).toMatchObject({
			'content-type': 'text/csv; charset=utf-8',
			'content-disposition': 'attachment; filename="prices.csv"',
			'content-encoding': 'gzip',
		});
	});
});
