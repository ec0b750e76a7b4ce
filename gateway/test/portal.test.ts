import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rawRequest } from '@paddock/testing';
import { parse } from 'yaml';
import { deployedEnvironment } from '../src/portal/deployed-collection.ts';
import { readPortalFiles } from '../src/portal/portal-documents.ts';
import { sendRequest } from './send-request.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

interface Folder {
	name: string;
	item?: Folder[];
	request?: { url: { raw: string; path: string[] } };
}

interface OpenApi {
	tags: { name: string }[];
	paths: Record<string, object>;
	components: { schemas: Record<string, object> };
	'x-error-codes': Record<string, object>;
}

/** The codes of operations that the document does not define. */
function undefinedCodes(document: OpenApi): string[] {
	const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
	return (operations as { 'x-error-codes'?: string[] }[])
		.flatMap((operation) => operation['x-error-codes'] ?? [])
		.filter((code) => document['x-error-codes'][code] === undefined);
}

const files = await readPortalFiles();
const browserAccepts = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the portal of a complete deployment', () => {
	let gateway: TestGateway;
	beforeAll(async () => {
		gateway = await startTestGateway({ portalFiles: files });
	});
	afterAll(() => gateway.close());
	const get = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers });

	test('the landing page is HTML for browsers and JSON for other clients, with Vary', async () => {
		const forPeople = await get('/', { Accept: browserAccepts });
		expect(forPeople.headers.get('content-type')).toBe('text/html; charset=utf-8');
		expect(forPeople.headers.get('vary')).toContain('Accept');
		expect(await forPeople.text()).toContain('<h1>');
		for (const Accept of ['*/*', 'application/json', 'application/*']) {
			const forPrograms = await get('/', { Accept });
			expect(forPrograms.headers.get('content-type')).toMatch(/^application\/json/);
			expect(forPrograms.headers.get('vary')).toContain('Accept');
			expect(await forPrograms.json()).toMatchObject({ success: true, data: { name: 'Paddock' } });
		}
		expect((await get('/', { Accept: 'image/png' })).status).toBe(406);
	});

	test.each([
		['/nothing', browserAccepts, 'html'],
		['/docs/', 'text/html', 'html'],
		['/apis', 'text/html', 'html'],
		['/nothing', '*/*', 'json'],
		['/nothing', 'application/json, text/html;q=0.9', 'json'],
		['/nothing', 'image/png', 'json'],
		['/api/nothing', browserAccepts, 'json'],
		['/api', browserAccepts, 'json'],
		['/actuator/nothing', browserAccepts, 'json'],
		['/.well-known/nothing', browserAccepts, 'json'],
	])('404 of %s for Accept: %s is %s', async (path, Accept, kind) => {
		const response = await get(path, { Accept });
		const { status, headers } = response;
		expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
		const text = await response.text();
		if (kind === 'html') {
			expect([headers.get('content-type'), headers.get('vary')]).toEqual([
				'text/html; charset=utf-8',
				'Accept',
			]);
			expect(text).toContain('<h1 id="not-found">Page not found</h1>');
		} else expect(JSON.parse(text)).toMatchObject({ success: false, data: { code: 'ROUTE_NOT_FOUND' } });
	});

	test('an unknown page is counted as a refusal; other methods and HEAD are right', async () => {
		const send = (method: string) =>
			fetch(`${gateway.url}/nothing`, { method, headers: { Accept: 'text/html' } });
		const head = await send('HEAD');
		expect([head.status, head.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
		expect((await send('POST')).headers.get('content-type')).toMatch(/^application\/json/);
		const metrics = await (await get('/actuator/prometheus')).text();
		expect(metrics).toMatch(/gateway_refusals_total\{[^}]*ROUTE_NOT_FOUND[^}]*\} [1-9]/);
	});

	test('the example commands contain the origin of the request', async () => {
		const page = await (await get('/', { Accept: 'text/html' })).text();
		expect(page).toContain(`curl -s ${gateway.url}/auth/login`);
		const environment = (await (await get('/postman/environment.json')).json()) as {
			values: { key: string; value: string }[];
		};
		expect(environment.values).toContainEqual(
			expect.objectContaining({ key: 'baseUrl', value: gateway.url }),
		);
	});

	test('the example commands contain the local address for an HTTP/1.0 request without Host', async () => {
		const page = await rawRequest(gateway.port, 'GET / HTTP/1.0\r\nAccept: text/html\r\n\r\n');
		expect(page.body).toContain(`curl -s ${gateway.url}/auth/login`);
	});

	test('the landing page does not contain the demo password in production', () => {
		const environmentOf = (production: boolean) =>
			deployedEnvironment(
				files.environment,
				{ ...gateway.opened.deps.deployment, production },
				'https://example.org',
			);
		expect(environmentOf(false)).toContain('canter over the hedge');
		expect(environmentOf(true)).not.toMatch(/canter over the hedge|admin@/);
	});

	test('an invalid Host never appears in the page', async () => {
		const response = await sendRequest(gateway.port, {
			path: '/',
			headers: { Host: 'a"><script>alert(1)</script>', Accept: 'text/html' },
		});
		expect(response.status).toBe(400);
		expect(response.body).not.toContain('<script>');
	});

	test('the documents are the committed ones', async () => {
		expect(await (await get('/openapi.yaml')).text()).toBe(files.openapi);
		const explorers = await get('/assets/openapi.json');
		expect(explorers.headers.get('content-type')).toBe('application/json; charset=utf-8');
		expect(await explorers.json()).toEqual(parse(files.openapi));
		expect(await (await get('/postman/collection.json')).json()).toEqual(JSON.parse(files.collection));
	});

	test('each context has a valid document of its own, with its paths only, and the first page links to it', async () => {
		const { data } = (await (await get('/')).json()) as {
			data: { contexts: { name: string; openapi: string }[] };
		};
		const landing = await (await get('/', { Accept: 'text/html' })).text();
		const paths: string[] = [];
		for (const { name, openapi } of data.contexts) {
			expect(openapi).toBe(`/openapi/${name}.yaml`);
			expect(landing).toContain(`href="${openapi}"`);
			const response = await get(openapi);
			expect(response.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
			const document = parse(await response.text()) as OpenApi & { info: { title: string } };
			await SwaggerParser.validate(structuredClone(document) as never);
			expect([document.info.title, document.tags.length]).toEqual([`Paddock ${name}`, 1]);
			paths.push(...Object.keys(document.paths));
			expect([name, undefinedCodes(document)]).toEqual([name, []]);
		}
		const own = /^\/(|docs|status|health|swagger|openapi\.yaml|actuator|(openapi|postman|actuator)\/.*)$/;
		const whole = Object.keys((parse(files.openapi) as OpenApi).paths).filter((path) => !own.test(path));
		expect(paths.sort()).toEqual(whole.sort());
	}, 60_000);

	test.each([
		'/docs',
		'/status',
		'/openapi.yaml',
		'/openapi/events.yaml',
		'/assets/openapi.json',
		'/assets/portal.css',
		'/assets/swagger-ui-bundle.js',
	])('%s is compressed for clients that accept it, and 304 if unchanged', async (path) => {
		const sizes: Record<string, number> = {};
		for (const coding of ['identity', 'gzip', 'br']) {
			const response = await sendRequest(gateway.port, { path, headers: { 'Accept-Encoding': coding } });
			expect(response.status).toBe(200);
			expect(response.headers['content-encoding'] ?? 'identity').toBe(coding);
			expect(response.headers['vary']).toContain('Accept-Encoding');
			sizes[coding] = Number(response.headers['content-length']);
		}
		expect(sizes['br']).toBeLessThan((sizes['identity'] ?? 0) / 2);
		const first = await get(path);
		const again = await get(path, { 'If-None-Match': first.headers.get('etag') ?? '' });
		expect([again.status, (await again.text()).length]).toEqual([304, 0]);
	});

	test.each([
		'/assets/portal-pages.ts',
		'/assets/..%2fconfig.ts',
		'/assets/',
		'/assets/icon.svg/',
		'/assets/none',
	])('%s is not served', async (path) => {
		expect([400, 404]).toContain((await get(path)).status);
	});

	test('pages load resources from the gateway only, and no inline script or style', async () => {
		for (const path of ['/', '/docs', '/status']) {
			const response = await get(path, { Accept: 'text/html' });
			const policy = response.headers.get('content-security-policy') ?? '';
			expect(policy).toContain("default-src 'self'");
			expect(policy).not.toContain('unsafe');
			const page = await response.text();
			expect(page).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
			for (const [, address = ''] of page.matchAll(/(?:src|href)="([^"]*)"/g))
				expect(address).toMatch(/^[/#]/);
		}
	});
});

describe('a deployment of two contexts without a status page', () => {
	let gateway: TestGateway;
	beforeAll(async () => {
		gateway = await startTestGateway({
			portalFiles: files,
			settings: { CONTEXTS: 'auth,masterdata', STATUS_PAGE: 'off', OPS_PREFIX: '/ops' },
		});
	});
	afterAll(() => gateway.close());
	const text = async (path: string, accept = '*/*') =>
		(await fetch(gateway.url + path, { headers: { Accept: accept } })).text();

	test('its pages show these two only', async () => {
		const landing = await text('/', 'text/html');
		expect(landing).toContain('data-context="masterdata"');
		expect(landing).not.toContain('data-context="ping"');
		expect(landing).toContain('/ops/health');
		for (const page of [landing, await text('/docs', 'text/html')]) {
			expect(page).not.toContain('/status');
			expect(page).not.toContain('/api/ping');
			expect(page).not.toContain('/actuator');
		}
		const { data } = JSON.parse(await text('/')) as {
			data: { contexts: { name: string }[]; links: Record<string, string> };
		};
		expect(data.contexts.map(({ name }) => name)).toEqual(['auth', 'masterdata']);
		expect(data.links).not.toHaveProperty('status');
		expect(data.links['health']).toBe('/ops/health');
	});

	test('its openapi.yaml is valid and has only their paths and schemas', async () => {
		const document = parse(await text('/openapi.yaml')) as OpenApi;
		expect(undefinedCodes(document)).toEqual([]);
		await SwaggerParser.validate(structuredClone(document) as never);
		const paths = Object.keys(document.paths);
		expect(paths).toEqual(expect.arrayContaining(['/auth/login', '/api/masterdata/venues', '/ops/health']));
		expect(paths.filter((path) => /^\/(?:api\/ping|status|actuator)/.test(path))).toEqual([]);
		const whole = parse(files.openapi) as OpenApi;
		expect(Object.keys(whole.components.schemas).length).toBeGreaterThan(
			Object.keys(document.components.schemas).length,
		);
		expect(Object.keys(document.components.schemas).filter((name) => name.startsWith('Ping'))).toEqual([]);
		expect(document.tags.map(({ name }) => name)).not.toContain('ping');
	});

	test('its collection has only their requests and the operations pages', async () => {
		const { item } = JSON.parse(await text('/postman/collection.json')) as { item: Folder[] };
		expect(item.map(({ name }) => name)).toEqual([
			'Try by hand',
			'portal',
			'auth',
			'masterdata',
			'operations',
			'leaving',
		]);
		const requests = item.flatMap((folder) => folder.item ?? []).map(({ request }) => request?.url);
		for (const url of requests) {
			expect(url?.raw.replace('{{baseUrl}}', '').split('?')[0]).toBe(`/${url?.path.join('/')}`);
			expect(url?.path.join('/')).not.toMatch(/^(?:api\/ping|status|actuator)/);
		}
		expect(requests.some((url) => url?.path.join('/') === 'ops/health')).toBe(true);
	});

	test('the other contexts and the status page return 404', async () => {
		for (const path of ['/api/ping', '/api/members', '/openapi/ping.yaml', '/status', '/actuator/health']) {
			const response = await sendRequest(gateway.port, { path });
			expect([path, response.status, response.json().data['code']]).toEqual([path, 404, 'ROUTE_NOT_FOUND']);
		}
		const { data } = JSON.parse(await text('/ops/health')) as { data: { components: object } };
		expect(Object.keys(data.components).sort()).toEqual(['auth', 'discovery', 'gateway', 'masterdata']);
	});
});
