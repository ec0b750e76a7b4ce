import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { rawRequest } from '@paddock/testing';
import { createService, type ServiceOptions } from '../src/process/create-service.ts';
import { type ToyDeps, toyId, toyRoutes } from './toy-routes.ts';
import { runToyService, type ToyService } from './toy-service.ts';

let toys: ToyService;
beforeAll(async () => {
	toys = await runToyService();
});
afterAll(() => toys.close());

test('a literal path wins over a parameter, and nothing of it leaks into other methods', async () => {
	expect((await toys.send('GET', '/toys/active')).text).toContain('Rocking horse');
	const { status, headers } = await toys.send('PUT', '/toys/active', { body: {} });
	expect([status, headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('another method of a known path is 405 with Allow', async () => {
	const { status, code, headers } = await toys.send('DELETE', `/toys/${toyId}`);
	expect([status, code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
	expect(headers.get('Allow')).toBe('GET, HEAD, PUT, PATCH, OPTIONS');
});

test.each(['TRACE', 'PROPFIND', 'PURGE'])('%s is not a supported method', async (method) => {
	const response = await rawRequest(
		toys.port,
		`${method} /toys HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
	);
	expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
});

test('HEAD is GET without the body', async () => {
	const get = await toys.send('GET', `/toys/${toyId}`);
	const head = await toys.send('HEAD', `/toys/${toyId}`);
	expect([head.status, head.text]).toEqual([200, '']);
	for (const name of ['ETag', 'Cache-Control', 'Content-Type', 'Content-Length'])
		expect(head.headers.get(name)).toBe(get.headers.get(name));
	expect((await toys.send('HEAD', '/nope')).status).toBe(404);
	expect((await toys.send('HEAD', '/echo')).status).toBe(405);
});

test.each(['', 'Content-Length: 2\r\n'])(
	'OPTIONS lists what is allowed, without a token (%j)',
	async (length) => {
		const head = `OPTIONS /toys HTTP/1.1\r\nHost: a\r\n${length}Connection: close\r\n\r\n`;
		const { status, headers, body } = await rawRequest(toys.port, head + (length === '' ? '' : '{}'));
		expect([status, body, headers['allow']]).toEqual([204, '', 'GET, HEAD, POST, OPTIONS']);
		expect(headers['content-length']).toBeUndefined();
		expect((await toys.send('OPTIONS', '/nope')).status).toBe(404);
	},
);

test.each([
	'/',
	'/nope',
	'/Toys',
	'/toys/',
	`/toys/${toyId}/`,
	'//toys',
	'/toys//active',
	'/toys;a',
	'/to%79s',
	'/HEALTH',
	'/health/',
])('%s is nothing', async (path) => {
	const { status, code } = await toys.send('GET', path);
	expect([status, code]).toEqual([404, 'ROUTE_NOT_FOUND']);
});

test.each(['/toys/%', '/toys/%zz', '/toys/%ff', '/toys/%C0%AF', '/toys/%ED%A0%80'])(
	'%s is not readable as a path',
	async (path) => {
		const { status, code } = await toys.send('GET', path);
		expect([status, code]).toEqual([400, 'AMBIGUOUS_PATH']);
	},
);

test.each([
	['two Host headers', 'Host: a\r\nHost: b\r\n'],
	['the same Host twice', 'Host: a\r\nHost: a\r\n'],
	['no Host', ''],
	['an empty Host', 'Host:\r\n'],
	['a Host with a path', 'Host: a/b\r\n'],
])('%s is 400 on every path', async (_name, host) => {
	for (const path of ['/toys', '/nope', '/health', '/metrics']) {
		const response = await rawRequest(toys.port, `GET ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
		expect([response.status, JSON.parse(response.body).data.code]).toEqual([400, 'MALFORMED_REQUEST']);
	}
	expect((await rawRequest(toys.port, 'GET /health HTTP/1.0\r\n\r\n')).status).toBe(200);
});

test.each(['GET *', 'OPTIONS *', 'GET http://elsewhere.example/nope', 'GET /\\..\\toys'])(
	'%s gets an envelope, too',
	async (line) => {
		const response = await rawRequest(toys.port, `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
		expect(response.status).toBe(404);
		expect(Object.keys(JSON.parse(response.body))).toEqual(['success', 'data', 'message', 'timestamp']);
	},
);

// The listener ran before the parser had said that a request without a body is complete, so it looked as if one were
// still to come, and the gateway lost a connection with every mistyped address.
test('a failure does not cost the connection', async () => {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const reused: boolean[] = [];
	for (const path of ['/nope', '/members', '/toys', '/toys/x'])
		reused.push(
			await new Promise<boolean>((resolve, reject) => {
				const sent = request(toys.url + path, { agent }, (response) => {
					response.resume().once('end', () => resolve(sent.reusedSocket));
				});
				sent.once('error', reject).end();
			}),
		);
	agent.destroy();
	expect(reused).toEqual([false, true, true, true]);
});

describe('Accept', () => {
	const get = (path: string, accept: string) => toys.send('GET', path, { headers: { Accept: accept } });

	// A range with a parameter matched nothing, not even the type with exactly that parameter.
	test.each([
		'*/*',
		'application/*',
		'application/json',
		'text/html, application/json;q=0.1',
		'application/json; charset=utf-8',
		'text/html, application/json;charset="UTF-8";q=0.1',
	])('%s is satisfied', async (accept) => {
		expect((await get('/toys/active', accept)).status).toBe(200);
	});

	test.each([
		'text/html',
		'application/xml, text/*',
		'application/json;q=0',
		'application/json;version=2',
		'application/json; charset=iso-8859-1',
		'nonsense',
	])('%s is not, and the refusal is JSON all the same', async (accept) => {
		const { status, code } = await get('/toys/active', accept);
		expect([status, code]).toEqual([406, 'NOT_ACCEPTABLE']);
	});

	test('a document is returned for its own type and for JSON', async () => {
		for (const accept of ['application/jwk-set+json', 'application/json', '*/*'])
			expect((await get('/document', accept)).status).toBe(200);
		const { status, text } = await get('/document', 'text/plain');
		expect(status).toBe(406);
		expect(JSON.parse(text)).toMatchObject({ message: 'Only application/jwk-set+json is available.' });
	});
});

test('a document has its standard form and no envelope', async () => {
	const { headers, text } = await toys.send('GET', '/document');
	expect([headers.get('Content-Type'), text]).toEqual(['application/jwk-set+json', '{"keys":["a"]}']);
	expect(headers.get('Cache-Control')).toBe('public, max-age=300');
});

test('a created record has a Location', async () => {
	const { status, headers } = await toys.send('POST', '/toys', { body: { name: 'B\u00e4r & Co', size: 1 } });
	expect([status, headers.get('Location')]).toEqual([201, '/toys/B%C3%A4r%20%26%20Co']);
});

test('no header names the software of the service', async () => {
	const { headers } = await toys.send('GET', '/nope');
	expect([headers.get('X-Powered-By'), headers.get('Server')]).toEqual([null, null]);
});

test('a method that is declared twice stops the start', () => {
	const [first] = toyRoutes;
	if (first === undefined) throw new Error('no routes');
	const options = { logger: silentLogger(), trustedProxies: [], checks: [], routes: [first, first] };
	expect(() => createService(options as unknown as ServiceOptions<ToyDeps>)).toThrow(
		'/toys/{id} declares a method twice',
	);
});
