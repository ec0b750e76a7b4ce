import { describe, expect, test } from '@jest/globals';
import { rawRequest } from '@paddock/testing';
import { last, request, statuses } from './connection-bench.ts';
import { runToyService } from './toy-service.ts';

describe('at a service, a transfer coding other than chunked', () => {
	const smuggled = `${request('POST /act', 'Content-Type: application/json', 'Content-Length: 2')}{}`;
	const chunked = '2\r\n{}\r\n0\r\n\r\n';

	test.each<[string, string[]]>([
		['another one before it', ['Transfer-Encoding: x', 'Transfer-Encoding: chunked']],
		['another one behind it', ['Transfer-Encoding: chunked', 'Transfer-Encoding: x']],
		['a list', ['Transfer-Encoding: x, chunked']],
		['a list that ends otherwise', ['Transfer-Encoding: chunked, x']],
		['twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
		['twice in a list', ['Transfer-Encoding: chunked, chunked']],
		['with an empty element', ['Transfer-Encoding: , chunked']],
		['alone', ['Transfer-Encoding: x']],
		['identity', ['Transfer-Encoding: identity']],
		['quoted', ['Transfer-Encoding: "chunked"']],
		['with a parameter', ['Transfer-Encoding: chunked;q=1']],
		['empty', ['Transfer-Encoding:']],
		['folded', ['Transfer-Encoding:', ' chunked']],
		['folded behind another', ['Transfer-Encoding: x,', '\tchunked']],
		['a vertical tab', ['Transfer-Encoding: \vchunked']],
		['a blank before the colon', ['Transfer-Encoding : chunked']],
		['with a length', ['Transfer-Encoding: chunked', 'Content-Length: 12']],
		['in capitals, with another one', ['TRANSFER-ENCODING: X', 'Transfer-encoding: CHUNKED']],
	])('%s: 400, the connection is closed, and nothing behind it is carried out', async (_name, headers) => {
		const toys = await runToyService();
		try {
			let acted = 0;
			toys.act = () => {
				acted += 1;
				return { fine: true };
			};
			const bytes = request('POST /act', 'Content-Type: application/json', ...headers) + chunked;
			const response = await rawRequest(toys.port, bytes + smuggled + smuggled);
			expect(statuses(response.text)).toEqual([400]);
			expect(response.text).toContain('MALFORMED_REQUEST');
			expect(response.closedByPeer).toBe(true);
			expect(acted).toBe(0);
		} finally {
			await toys.close();
		}
	});

	test.each(['chunked', 'Chunked', 'CHUNKED', ' chunked '])('but %j is chunked', async (coding) => {
		const toys = await runToyService();
		const bytes =
			request('POST /echo', 'Content-Type: application/json', `Transfer-Encoding:${coding}`) + chunked;
		try {
			const response = await rawRequest(toys.port, bytes + last);
			expect(statuses(response.text)).toEqual([200, 404]);
		} finally {
			await toys.close();
		}
	});
});
