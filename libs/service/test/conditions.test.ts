import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { acceptsConnections, describeWithPrograms, freePort, startProgram } from '@paddock/testing';
import { toyId } from './toy-routes.ts';
import { runToyService, type ToyService } from './toy-service.ts';

let toys: ToyService;
beforeAll(async () => {
	toys = await runToyService();
});
afterAll(() => toys.close());

const body = { name: 'Rocking horse', size: 3 };

describe('If-Match, when version 3 is stored', () => {
	const put = (headers: Record<string, string>) => toys.send('PUT', `/toys/${toyId}`, { body, headers });

	test.each(['"3"', '"3-gzip"', '"1", "3"', '"1","2" , "3"', '*', ' * '])(
		'%s allows the change',
		async (tag) => {
			const { status, headers } = await put({ 'If-Match': tag });
			expect([status, headers.get('ETag')]).toEqual([200, '"4"']);
		},
	);

	test('none allows the change', async () => {
		expect((await put({})).status).toBe(200);
	});

	test.each(['"2"', 'W/"2"', '"03"', '"abc"', '"1,3"', '"*"', '"1e0"'])('%s does not', async (tag) => {
		const { status, code, data } = await put({ 'If-Match': tag });
		expect([status, code, data['currentVersion']]).toEqual([412, 'PRECONDITION_FAILED', 3]);
	});

	test('the message blames a change of the record only for another version', async () => {
		const messageFor = async (tag: string) => JSON.parse((await put({ 'If-Match': tag })).text).message;
		expect(await messageFor('"2"')).toMatch('has changed since');
		expect(await messageFor('"abc"')).toMatch('no entity tag of this record');
	});

	test.each(['3', "'3'", '"3', '', '"3" "4"'])('%s is malformed: 400 that names the form', async (tag) => {
		const { status, code, data } = await put({ 'If-Match': tag });
		expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(data['errors']).toEqual([
			{ field: 'If-Match', code: 'INVALID_FORMAT', message: 'must be * or quoted entity tags such as "3"' },
		]);
	});
});

describe('If-None-Match', () => {
	const get = (path: string, tag: string) => toys.send('GET', path, { headers: { 'If-None-Match': tag } });

	test.each(['"3"', 'W/"3"', '"1", W/"3"', '*'])('%s: the caller has it already', async (tag) => {
		const { status, headers, text } = await get(`/toys/${toyId}`, tag);
		expect([status, text]).toEqual([304, '']);
		expect(headers.get('ETag')).toBe('"3"');
		expect(headers.get('Cache-Control')).toBe('private, max-age=60');
		expect(headers.get('X-Request-Id')).not.toBeNull();
	});

	test.each(['"2"', '3', '"33"', 'w/"3"', '', 'junk, "2"'])('%s: it does not', async (tag) => {
		expect((await get(`/toys/${toyId}`, tag)).status).toBe(200);
	});

	test('works with a digest of the content, which is weak and the same for the same data', async () => {
		const { headers } = await toys.send('GET', '/toys/active');
		const tag = headers.get('ETag') ?? '';
		expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
		expect((await get('/toys/active', tag)).status).toBe(304);
		expect((await get('/toys/active', tag.slice(2))).status).toBe(304);
		expect((await toys.send('HEAD', '/toys/active', { headers: { 'If-None-Match': tag } })).status).toBe(304);
	});

	test('never hides a failure', async () => {
		expect((await get('/toys/1', '*')).status).toBe(400);
	});

	describe('of a change', () => {
		const put = (path: string, tag: string) =>
			toys.send('PUT', path, { body, headers: { 'If-None-Match': tag } });

		test.each(['*', '"3"', 'W/"3"', '"2", "3-gzip"'])('%s refuses it', async (tag) => {
			const { status, code, data, text } = await put(`/toys/${toyId}`, tag);
			expect([status, code, data['currentVersion']]).toEqual([412, 'PRECONDITION_FAILED', 3]);
			expect(JSON.parse(text).message).toMatch('If-None-Match');
		});

		test.each(['"2"', '"other"'])('%s allows it', async (tag) => {
			expect((await put(`/toys/${toyId}`, tag)).status).toBe(200);
		});

		test('malformed is 400', async () => {
			expect((await put(`/toys/${toyId}`, '3')).fields).toEqual(['If-None-Match INVALID_FORMAT']);
		});
	});
});

test('a failure is not to be stored and carries no entity tag', async () => {
	const { headers } = await toys.send('GET', `/toys/${toyId.replace('0', '1')}`);
	expect([headers.get('Cache-Control'), headers.get('ETag')]).toEqual(['no-store', null]);
});

describeWithPrograms(['nginx'], 'behind nginx that compresses', () => {
	test('the ETag that it weakened is a precondition like the original', async () => {
		const [port, directory] = [await freePort(), await mkdtemp(join(tmpdir(), 'paddock-gzip-'))];
		const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
			(name) => `${name}_temp_path ${directory}/${name};`,
		);
		const file = join(directory, 'nginx.conf');
		await writeFile(
			file,
			`daemon off; pid ${directory}/pid; error_log stderr; events {}
			http { ${paths.join(' ')} access_log off; gzip on; gzip_min_length 0; gzip_proxied any; gzip_types application/json;
				server { listen 127.0.0.1:${port}; location / { proxy_pass ${toys.url}; proxy_set_header Accept-Encoding ""; } } }`,
		);
		const nginx = await startProgram({
			command: ['nginx', '-e', 'stderr', '-c', file],
			ready: () => acceptsConnections(port),
		});
		try {
			const url = `http://127.0.0.1:${port}/toys/${toyId}`;
			const headers = { 'Accept-Encoding': 'gzip' };
			const read = await fetch(url, { headers });
			expect(read.headers.get('Content-Encoding')).toBe('gzip');
			const tag = read.headers.get('ETag') ?? '';
			expect(tag).toBe('W/"3"');
			const change = { method: 'PUT', body: JSON.stringify(body) };
			const sent = { ...headers, 'Content-Type': 'application/json' };
			expect((await fetch(url, { ...change, headers: { ...sent, 'If-Match': tag } })).status).toBe(200);
			const stale = { ...sent, 'If-Match': 'W/"2"' };
			expect((await fetch(url, { ...change, headers: stale })).status).toBe(412);
		} finally {
			await nginx.stop();
			await rm(directory, { recursive: true });
		}
	});
});
