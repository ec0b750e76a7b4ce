import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, recordingUpstream, type TestUpstream } from '@paddock/testing';
import { stringify } from 'yaml';
import { sendRequest } from './send-request.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const contract = (prefix: string) => ({
	openapi: '3.1.0',
	info: { title: 'Anything', version: '1' },
	security: [{}],
	paths: {
		[`${prefix}/cached`]: { get: { 'x-cache': {} } },
		[`${prefix}/{any}`]: {
			get: {},
			put: {},
			delete: {},
			post: { requestBody: body({ $ref: '#/components/schemas/Node' }) },
		},
		[`${prefix}/typed/{id}`]: {
			summary: 'Typed',
			head: {},
			parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
			get: {
				parameters: [
					{ name: 'size', in: 'query', required: true, schema: { type: 'integer', maximum: 9 } },
					{ name: 'tag', in: 'query', schema: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 } },
					{ name: 'X-Kind', in: 'header', schema: { const: 'k' } },
					...['X-User-Id', 'X-Request-Id'].map((name) => ({
						name,
						in: 'header',
						required: true,
						schema: {},
					})),
				],
			},
		},
		[`${prefix}/pattern/{any}`]: {
			post: {
				requestBody: body({
					type: 'object',
					properties: {
						evil: { type: 'string', pattern: '^(a+)+$' },
						look: { type: 'string', pattern: '^(?=x)' },
						list: { type: 'array', uniqueItems: true },
					},
				}),
			},
		},
		[`${prefix}/strict/{any}`]: {
			post: {
				parameters: [
					{
						...{ name: 'filter', in: 'query', style: 'deepObject' },
						schema: { type: 'object', properties: { a: { const: '1' } } },
					},
					{ name: 'page', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
					{ name: 'kind', in: 'cookie', schema: { const: 'k' } },
				],
				requestBody: body({
					type: 'object',
					properties: {
						first: { type: 'string', pattern: '^a+$' },
						second: { type: 'string', pattern: '^b+$' },
						constructor: { type: 'string' },
					},
				}),
			},
		},
		[`${prefix}/list/{any}`]: {
			post: { operationId: 'twice', requestBody: body({ $ref: '#/components/schemas/List' }) },
		},
		[`${prefix}/wide/{any}`]: {
			post: { operationId: 'twice', requestBody: body({ $ref: '#/components/schemas/Wide' }) },
		},
	},
	components: {
		schemas: {
			// Cheap for each value, though not for all of them.
			List: { type: 'array', uniqueItems: true, items: { $ref: '#/components/schemas/List' } },
			Wide: { allOf: refs('Wider') },
			Wider: { allOf: refs('Leaf') },
			Leaf: { maxLength: 1_000_000, additionalProperties: false },
			Node: { anyOf: [{ $ref: '#/components/schemas/Left' }, { $ref: '#/components/schemas/Right' }] },
			Left: {
				type: 'object',
				required: ['left'],
				properties: { next: { $ref: '#/components/schemas/Node' } },
			},
			Right: {
				type: 'object',
				required: ['right'],
				properties: { next: { $ref: '#/components/schemas/Node' } },
			},
		},
	},
});
// Objects of their own, as YAML would write the same one as an alias.
function refs(name: string) {
	return Array.from({ length: 300 }, () => ({ $ref: `#/components/schemas/${name}` }));
}
function body(schema: object) {
	return { required: true, content: { 'application/json': { schema } } };
}

let folder: string;
let service: TestUpstream;
let respond: (res: ServerResponse) => void;
let gateway: TestGateway;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'paddock-envelope-'));
	service = await recordingUpstream((_req, res) => respond(res));
	const entries = ['wrap', 'keep'].map((envelope) => ({
		...{
			name: envelope,
			prefix: `/api/${envelope}`,
			service: envelope,
			contract: `${envelope}.yaml`,
			envelope,
		},
		...{ validate: 'requests', bodyBytesMax: envelope === 'wrap' ? 300_000 : 50 },
	}));
	for (const name of ['wrap', 'keep'])
		await writeFile(join(folder, `${name}.yaml`), stringify(contract(`/api/${name}`)));
	await writeFile(join(folder, 'contexts.yaml'), stringify(entries));
	gateway = await startTestGateway({
		services: { wrap: [service.url], keep: [service.url] },
		settings: { CONTEXTS: 'auth,ping', CONTEXTS_FILE: join(folder, 'contexts.yaml') },
	});
});
afterAll(async () => {
	await gateway.close();
	await service.close();
	await rm(folder, { recursive: true });
});

const sends =
	(content: string | Buffer, headers: Record<string, string> = {}, status = 200) =>
	(res: ServerResponse) =>
		void res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(content);
const get = async (path = '/api/wrap/x', init: RequestInit = {}) => {
	const response = await fetch(gateway.url + path, init);
	return { status: response.status, headers: response.headers, text: await response.text() };
};
const wrapped = (data: unknown, message = 'OK') => ({
	success: true,
	data,
	message,
	timestamp: expect.any(String),
});

describe('envelope: wrap', () => {
	test.each([
		['an object', '{"a":1}'],
		['a list', '[]'],
		['a text', '"x"'],
		['null', 'null'],
		['an object that looks like an envelope in part', '{"success":true,"data":1}'],
		['white space and a byte order mark', '\uFEFF [1]\n'],
	])('puts %s into data', async (_name, text) => {
		respond = sends(text);
		const { status, text: received, headers } = await get();
		expect([status, JSON.parse(received)]).toEqual([200, wrapped(JSON.parse(text.trim()))]);
		expect(headers.get('content-length')).toBe(String(Buffer.byteLength(received)));
		expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
	});

	test('keeps the digits of numbers, and the message is that of the status', async () => {
		respond = sends('{"n":12345678901234567890.10}', {}, 201);
		const { text } = await get();
		expect(text).toContain('"data":{"n":12345678901234567890.10}');
		expect(JSON.parse(text).message).toBe('Created');
	});

	test('is `keep` by default', async () => {
		respond = sends('{"a":1}', { ETag: '"1"', 'Content-MD5': 'x' });
		const { text, headers } = await get('/api/keep/x');
		expect([text, headers.get('content-md5')]).toEqual(['{"a":1}', 'x']);
	});

	test.each([
		['a response that has it', 'application/json', '{"success":true,"data":1,"message":"m","timestamp":"t"}'],
		['other media types', 'text/csv', 'a;b'],
		['a format of its own on top of JSON', 'application/geo+json', '{"type":"Point"}'],
		['lines of JSON', 'application/x-ndjson', '{}\n{}\n'],
		['events', 'text/event-stream', 'data: {}\n\n'],
	])('leaves %s alone', async (_name, type, text) => {
		respond = sends(text, { 'Content-Type': type, ETag: '"1"', 'Content-MD5': 'x' });
		expect((await get()).text).toBe(text);
	});

	test('passes events on while they arrive', async () => {
		const first = Promise.withResolvers<void>();
		respond = (res) => {
			res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
			void first.promise.then(() => res.end('data: 2\n\n'));
		};
		const response = await fetch(`${gateway.url}/api/wrap/x`);
		const reader = response.body?.getReader();
		expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
		first.resolve();
		await reader?.cancel();
	});

	test('keeps the entity tag, and removes what describes the original bytes', async () => {
		const ofBytes = {
			'Content-MD5': 'x',
			Digest: 'x',
			'Content-Digest': 'x',
			'Repr-Digest': 'x',
			'Accept-Ranges': 'bytes',
		};
		respond = sends('{}', { ETag: '"7"', 'Last-Modified': 'Sun, 01 Mar 2026 08:00:00 GMT', ...ofBytes });
		const { headers } = await get();
		expect([headers.get('etag'), headers.has('last-modified')]).toEqual(['"7"', true]);
		for (const name of Object.keys(ofBytes)) expect([name, headers.has(name)]).toEqual([name, false]);
	});

	test('asks the service for no coding, and decodes one that it uses anyway', async () => {
		service.requests.length = 0;
		for (const [coding, encode] of [
			['gzip', gzipSync],
			['br', brotliCompressSync],
		] as const) {
			respond = sends(encode('[1]'), { 'Content-Encoding': coding });
			const { text, headers } = await get('/api/wrap/x', { headers: { 'Accept-Encoding': 'gzip, br' } });
			expect([JSON.parse(text), headers.has('content-encoding')]).toEqual([wrapped([1]), false]);
		}
		expect(service.requests.map(({ headers }) => headers['accept-encoding'])).toEqual([
			'identity',
			'identity',
		]);
	});

	test.each([
		['that is not JSON', sends('{"a":')],
		['in a broken coding', sends('no gzip', { 'Content-Encoding': 'gzip' })],
		['in an unknown coding', sends('x', { 'Content-Encoding': 'compress' })],
		['that is not text', sends(Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
		['in an unknown charset', sends('[]', { 'Content-Type': 'application/json; charset=klingon' })],
	])('a body %s is 502', async (_name, response) => {
		respond = response;
		const { status, text } = await get();
		expect([status, JSON.parse(text).data.code]).toEqual([502, 'UPSTREAM_ERROR']);
	});

	test('a body in another charset becomes UTF-8', async () => {
		respond = sends(Buffer.from('"Bärbel"', 'latin1'), {
			'Content-Type': 'application/json; charset=ISO-8859-1',
		});
		expect(JSON.parse((await get()).text).data).toBe('Bärbel');
	});

	test('responses without a body have none, and HEAD has no length that GET would not have', async () => {
		for (const status of [204, 304]) {
			respond = (res) => void res.writeHead(status, { ETag: '"1"' }).end();
			expect(await get('/api/wrap/x', { headers: { 'If-None-Match': '"1"' } })).toMatchObject({
				status,
				text: '',
			});
		}
		respond = sends('{"a":1}');
		const head = await get('/api/wrap/x', { method: 'HEAD' });
		expect([head.status, head.headers.has('content-length'), head.text]).toEqual([200, false, '']);
		respond = sends('');
		expect(JSON.parse((await get()).text)).toEqual(wrapped(null));
	});

	test('a part of a body stays a part', async () => {
		respond = sends('{"a"', { 'Content-Range': 'bytes 0-3/7' }, 206);
		const { status, text, headers } = await get('/api/wrap/x', { headers: { Range: 'bytes=0-3' } });
		expect([status, text, headers.get('content-range')]).toEqual([206, '{"a"', 'bytes 0-3/7']);
	});

	test('a long body is put into it as it arrives, one that is cut off stays cut off', async () => {
		const items = Array.from({ length: 60_000 }, (_, index) => ({ index, text: 'x'.repeat(20) }));
		respond = sends(JSON.stringify(items));
		const { text } = await get();
		expect(JSON.parse(text)).toEqual(wrapped(items));
		respond = (res) => {
			res.writeHead(200, { 'Content-Type': 'application/json' }).write(`[${'1,'.repeat(700_000)}`);
			setImmediate(() => res.destroy());
		};
		await expect(get()).rejects.toThrow();
		respond = (res) => {
			res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '50' }).write('[1');
			setImmediate(() => res.destroy());
		};
		expect((await get()).status).toBe(502);
	});

	test.each([
		[
			'problem+json',
			'application/problem+json',
			{ type: 'https://x/y', title: 'T', detail: 'No such day.', instance: '/z', day: 3 },
			{ code: 'CONFLICT', type: 'https://x/y', title: 'T', instance: '/z', day: 3 },
			'No such day.',
		],
		[
			'problem+json without a detail',
			'application/problem+json',
			{ type: 'about:blank', title: 'Taken.' },
			{ code: 'CONFLICT', type: 'about:blank', title: 'Taken.' },
			'Taken.',
		],
		['another JSON', 'application/json', { message: 'Taken.', code: 'TAKEN' }, { code: 'TAKEN' }, 'Taken.'],
		[
			'a text',
			'application/json',
			'nope',
			{ code: 'CONFLICT', details: 'nope' },
			"Conflicts with the resource's current state.",
		],
		[
			'its own status',
			'application/json',
			{ status: 'x', requestId: 'y' },
			{ code: 'CONFLICT' },
			"Conflicts with the resource's current state.",
		],
		[
			'an envelope without a code',
			'application/json',
			{ success: false, data: { a: 1 }, message: 'M', timestamp: 't' },
			{ code: 'CONFLICT', a: 1 },
			'M',
		],
	])('failures get code, status and request id: %s', async (_name, type, content, data, message) => {
		respond = sends(JSON.stringify(content), { 'Content-Type': type, 'Retry-After': '7' }, 409);
		const { status, text, headers } = await get('/api/wrap/x', { headers: { 'X-Request-Id': 'abc' } });
		expect([status, headers.get('retry-after')]).toEqual([409, '7']);
		expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
		expect(JSON.parse(text)).toEqual({
			success: false,
			data: { ...data, status: 409, requestId: 'abc' },
			message,
			timestamp: expect.any(String),
		});
	});

	test('a long body has no byte order mark within the envelope', async () => {
		const list = Array.from({ length: 300_000 }, (_, at) => at);
		respond = sends(`\uFEFF${JSON.stringify(list)}`);
		expect(JSON.parse((await get()).text).data).toHaveLength(list.length);
	});

	// Most frameworks build it from Host, which names the instance.
	test.each([
		['instance, path', '/api/keep/y?z=1#a', '/api/keep/y?z=1#a'],
		['instance, no path', '', '/'],
		// A path that begins with two slashes would be another host.
		['instance, two slashes', '//example.org/', undefined],
		['instance, a backslash', '/\\example.org/', undefined],
		['instance, a tab', '/\t/example.org/', undefined],
		['instance, a query', '?next=1', '/?next=1'],
		['instance, an address that continues', '.example.org/', undefined],
	])('a Location with the address of its %s is a path', async (_name, end, expected) => {
		const location = service.url + end;
		respond = sends('{}', { Location: location }, 201);
		const { headers } = await get('/api/keep/x');
		expect(headers.get('location')).toBe(expected ?? location);
	});

	test('a failure that is a page, or endless, is replaced', async () => {
		respond = sends('<h1>Gone</h1>', { 'Content-Type': 'text/html' }, 410);
		expect(JSON.parse((await get()).text)).toMatchObject({ success: false, data: { status: 410 } });
		respond = sends(`"${'x'.repeat(1_500_000)}"`, {}, 400);
		expect(JSON.parse((await get()).text)).toMatchObject({ success: false, data: { status: 400 } });
	});

	test('a stored response is stored once, and has a new envelope each time', async () => {
		service.requests.length = 0;
		respond = sends('[1]', { 'Content-Length': '3', 'Cache-Control': 'public, max-age=60', ETag: '"c"' });
		const [one, two] = [await get('/api/wrap/cached'), await get('/api/wrap/cached')];
		expect([JSON.parse(one.text), JSON.parse(two.text)]).toEqual([wrapped([1]), wrapped([1])]);
		expect(two.headers.get('cache-status')).toContain('hit');
		expect(service.requests).toHaveLength(1);
		const same = await get('/api/wrap/cached', { headers: { 'If-None-Match': '"c"' } });
		expect([same.status, same.text]).toEqual([304, '']);
	});

	test('headers that concern the whole origin stay with the service', async () => {
		const names = [
			'Clear-Site-Data',
			'Alt-Svc',
			'Strict-Transport-Security',
			'Service-Worker-Allowed',
			'Reporting-Endpoints',
		];
		respond = sends('{}', {
			...Object.fromEntries(names.map((name) => [name, 'x'])),
			...{
				'X-Request-Id': 'forged',
				'Content-Security-Policy': 'forged',
				'Access-Control-Allow-Origin': '*',
			},
		});
		const { headers } = await get();
		for (const name of [...names, 'Access-Control-Allow-Origin'])
			expect([name, headers.has(name)]).toEqual([name, false]);
		expect(headers.get('x-request-id')).not.toBe('forged');
		expect(headers.get('content-security-policy')).not.toContain('forged');
	});

	// Its scripts would be of the origin of the console, and could refresh the session of whoever opens it.
	test.each([
		['text/html', true],
		['text/html; charset=utf-8', true],
		['image/svg+xml', true],
		['text/javascript', true],
		['application/pdf', false],
	])('a page of %s has an origin of its own: %s', async (type, isSandboxed) => {
		respond = sends('<script>1</script>', { 'Content-Type': type });
		const policy = (await get('/api/keep/x')).headers.get('content-security-policy') ?? '';
		expect([policy.includes("default-src 'self'"), policy.split(';').includes('sandbox')]).toEqual([
			true,
			isSandboxed,
		]);
	});

	test('a service sets its own cookies, not those of the gateway’s pages', async () => {
		const cookies = ['a=1; Path=/', 'paddock.refresh=x; Path=/auth/refresh', ' Paddock.session=x'];
		respond = (res) => void res.writeHead(200, { 'Set-Cookie': cookies }).end();
		expect((await get('/api/keep/x')).headers.getSetCookie()).toEqual(['a=1; Path=/']);
	});
});

describe('validate: requests', () => {
	const post = async (path: string, content: unknown, type = 'application/json', cookie?: string) => {
		respond = sends('{}');
		service.requests.length = 0;
		const text = typeof content === 'string' ? content : JSON.stringify(content);
		const response = await fetch(gateway.url + path, {
			method: 'POST',
			body: text,
			headers: { 'Content-Type': type, ...(cookie === undefined ? {} : { Cookie: cookie }) },
		});
		const { data } = (await response.json()) as { data: { code?: string; errors?: { field: string }[] } };
		return {
			status: response.status,
			code: data?.code,
			fields: data?.errors?.map(({ field }) => field),
			reached: service.requests.length,
		};
	};

	test('all fields that are not valid are reported, in path, query and headers', async () => {
		respond = sends('{}');
		service.requests.length = 0;
		const { status, text } = await get('/api/wrap/typed/0?size=10&tag=a&tag=c&tag=a', {
			headers: { 'X-Kind': 'z' },
		});
		const { code, errors } = JSON.parse(text).data;
		expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(errors.map(({ field }: { field: string }) => field).sort()).toEqual([
			'id',
			'size',
			'tag',
			'tag[1]',
			'x-kind',
		]);
		expect(JSON.parse((await get('/api/wrap/typed/x')).text).data.errors).toEqual([
			{ field: 'id', code: 'INVALID_FORMAT', message: 'must be a whole number' },
			{ field: 'size', code: 'REQUIRED', message: 'is required' },
		]);
		expect((await get('/api/wrap/typed/1?size=1&size=2')).status).toBe(400);
		expect(service.requests).toEqual([]);
		expect((await get('/api/wrap/typed/1?size=9&tag=a')).status).toBe(200);
	});

	// Frameworks derive contracts from the parameters of their handlers.
	test('a header that the gateway sets is neither expected from clients nor documented', async () => {
		respond = sends('{}');
		expect((await get('/api/wrap/typed/1?size=9')).status).toBe(200);
		const { paths } = JSON.parse((await get('/assets/openapi.json')).text);
		const { parameters } = paths['/api/wrap/typed/{id}'].get;
		expect(parameters.map(({ name }: { name: string }) => name)).toEqual(['id', 'size', 'tag', 'X-Kind']);
	});

	test('a body is checked before it is forwarded, and forwarded as it came', async () => {
		expect(await post('/api/wrap/x', '{ "left" : 1 }')).toMatchObject({ status: 200, reached: 1 });
		expect(service.requests[0]?.body).toBe('{ "left" : 1 }');
		expect(await post('/api/wrap/x', {})).toMatchObject({
			status: 400,
			code: 'VALIDATION_ERROR',
			reached: 0,
		});
		expect(await post('/api/wrap/x', '{')).toMatchObject({ status: 400, code: 'MALFORMED_JSON', reached: 0 });
		expect(await post('/api/wrap/x', '')).toMatchObject({ status: 400, fields: [''], reached: 0 });
		for (const type of [
			'text/plain',
			'application/xml',
			'application/json; charset=utf-16',
			'application/json; charset = utf-7',
			'application/json; charset=utf-8; charset=utf-7',
		])
			expect(await post('/api/wrap/x', '{"left":1}', type)).toMatchObject({ status: 415, reached: 0 });
	});

	test('each pattern is that of its field, and each field the own one of an object', async () => {
		expect(await post('/api/wrap/strict/x', { first: 'a', second: 'b' })).toMatchObject({ status: 200 });
		expect(await post('/api/wrap/strict/x', { first: 'a', second: 'a' })).toMatchObject({
			...{ status: 400, fields: ['second'] },
		});
		expect(await post('/api/wrap/strict/x', { constructor: 1 })).toMatchObject({ fields: ['constructor'] });
	});

	test('all values of a parameter are checked, as a service may use any of them', async () => {
		for (const query of ['', '?filter[a]=1', '?page={}', '?filter%5Ba%5D=1&page=%7B%7D'])
			expect([query, (await post(`/api/wrap/strict/x${query}`, {})).status]).toEqual([query, 200]);
		for (const query of [
			'?filter[a]=1&filter[a]=2',
			'?filter[a]=2&filter[a]=1',
			'?filter[a]=2&filter%5Ba%5D=1',
			'?page={}&page=1',
		])
			expect([query, (await post(`/api/wrap/strict/x${query}`, {})).status]).toEqual([query, 400]);
		for (const [cookie, status] of [
			['kind=k', 200],
			['a=1;kind=z', 400],
			['kind=k; kind=z', 400],
		] as const)
			expect([cookie, (await post('/api/wrap/strict/x', {}, undefined, cookie)).status]).toEqual([
				cookie,
				status,
			]);
	});

	test.each([
		['a list that is compared at each level', '/api/wrap/list/x', `${'['.repeat(3_000)}${']'.repeat(3_000)}`],
		['a text that many schemas measure', '/api/wrap/wide/x', JSON.stringify('x'.repeat(250_000))],
		[
			'an object that many schemas look through',
			'/api/wrap/wide/x',
			Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`p${at}`, 0])),
		],
		['a backtracking pattern', '/api/wrap/pattern/x', { evil: `${'a'.repeat(200_000)}!` }],
		[
			'elements that must differ',
			'/api/wrap/pattern/x',
			{ list: Array.from({ length: 20_000 }, (_, at) => ({ at: at % 15_000 })) },
		],
		['a schema that refers to itself twice', '/api/wrap/x', `${'{"next":'.repeat(40)}{}${'}'.repeat(40)}`],
		[
			'a body that is nested deeper than the stack',
			'/api/wrap/x',
			`${'{"next":'.repeat(30_000)}{}${'}'.repeat(30_000)}`,
		],
	])('%s is refused in a short time', async (_name, path, content) => {
		const started = process.cpuUsage();
		expect(await post(path, content)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', reached: 0 });
		const { user } = process.cpuUsage(started);
		expect(user / 1000).toBeLessThan(2_000);
	});

	test('patterns that need backtracking are left to the service, and listed', async () => {
		expect(await post('/api/wrap/pattern/x', { look: 'y' })).toMatchObject({ status: 200, reached: 1 });
		const { contexts } = JSON.parse((await get('/actuator/contexts')).text).data;
		expect(contexts.find(({ name }: { name: string }) => name === 'wrap').contract.uncheckedPatterns).toEqual(
			['^(?=x)'],
		);
	});

	test('each service has its own limit of bodies', async () => {
		expect(await post('/api/keep/x', { left: 'x'.repeat(60) })).toMatchObject({ status: 413 });
		expect(await post('/api/wrap/x', { left: 'x'.repeat(200_000) })).toMatchObject({ status: 200 });
		expect(await post('/api/wrap/x', { left: 'x'.repeat(400_000) })).toMatchObject({ status: 413 });
	});
});

// One member of another kind, such as the parameters of a path, kept the explorer from showing any operation.
test('path items of the documents consist of operations that the explorer can show', async () => {
	const { paths } = JSON.parse((await get('/assets/openapi.json')).text);
	expect(Object.keys(paths['/api/wrap/typed/{id}'])).toEqual(['get']);
	expect(paths['/api/wrap/typed/{id}'].get).toMatchObject({
		...{ summary: '/api/wrap/typed/{id}', operationId: 'wrap_get_api_wrap_typed_id_', tags: ['wrap'] },
		responses: { default: { description: 'Any response.' } },
	});
});

test('an id that two operations of a service have is replaced', async () => {
	const { paths } = JSON.parse((await get('/assets/openapi.json')).text);
	const idOf = (path: string) => paths[`/api/wrap/${path}/{any}`].post.operationId;
	expect(['list', 'wide'].map(idOf)).toEqual([
		'wrap_post_api_wrap_list_any_',
		'wrap_post_api_wrap_wide_any_',
	]);
});

test('a document of OpenAPI 3.1 is part of the merged one in 3.0.3', async () => {
	const text = await (await fetch(`${gateway.url}/assets/openapi.json`)).text();
	const { openapi, components } = JSON.parse(text);
	expect(openapi).toBe('3.0.3');
	expect(components.schemas['wrap.Node']).toEqual({
		anyOf: [{ $ref: '#/components/schemas/wrap.Left' }, { $ref: '#/components/schemas/wrap.Right' }],
	});
	await eventually(
		'it is not changed by reading',
		async () =>
			createHash('md5')
				.update(await (await fetch(`${gateway.url}/assets/openapi.json`)).text())
				.digest('hex') === createHash('md5').update(text).digest('hex'),
	);
	expect((await sendRequest(gateway.port, { path: '/contexts-file.schema.json' })).status).toBe(200);
});
