import { readFile } from 'node:fs/promises';
import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rawRequest } from '@paddock/testing';
import { parse } from 'yaml';
import { deployedEnvironment } from '../src/portal/deployed-collection.ts';
import { readPortalFiles } from '../src/portal/portal-documents.ts';
import { type OpenApi, undefinedCodes } from './openapi-document.ts';
import { sendRequest } from './send-request.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const files = await readPortalFiles();
const committed = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');
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
		['/docs/nothing', 'text/html', 'html'],
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

	test.each([
		['/docs/', '/docs'],
		['/status/?view=full&a=%22', '/status?view=full&a=%22'],
	])('%s redirects to %s', async (path, location) => {
		for (const method of ['GET', 'HEAD']) {
			const response = await fetch(gateway.url + path, { method, redirect: 'manual' });
			expect([response.status, response.headers.get('location')]).toEqual([308, location]);
		}
		expect((await fetch(gateway.url + path, { method: 'POST' })).status).toBe(404);
	});

	test.each([
		['/openapi.yaml/', 404],
		['/actuator/health/', 404],
		['/docs/nothing/', 404],
		['/Docs/', 404],
		['/docs//', 400],
		['/api/ping/', 404],
	])('%s is %d: only pages redirect', async (path, status) => {
		expect((await fetch(gateway.url + path, { redirect: 'manual' })).status).toBe(status);
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

	test('the landing page names the parameters that page through a list of any length', async () => {
		const page = await (await get('/', { Accept: 'text/html' })).text();
		for (const name of ['page', 'size', 'cursor']) expect(page).toContain(`<code>${name}</code>`);
	});

	test('the landing page names no lifetime of tokens: it is a setting of auth', async () => {
		const page = await (await get('/', { Accept: 'text/html' })).text();
		expect(page).toContain('An access token expires after <code>data.expiresIn</code> seconds');
		expect(page).not.toMatch(/\d+ minutes/);
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
		const served = await (await get('/openapi.yaml')).text();
		expect(committed.slice(committed.indexOf('\n') + 1)).toBe(served);
		const explorers = await get('/assets/openapi.json');
		expect(explorers.headers.get('content-type')).toBe('application/json; charset=utf-8');
		expect(await explorers.json()).toEqual(parse(committed));
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
		const own =
			/^\/(|docs|app|status|runbook|health|swagger|openapi\.yaml|contexts-file\.schema\.json|actuator|(openapi|postman|actuator)\/.*)$/;
		const whole = Object.keys((parse(committed) as OpenApi).paths).filter((path) => !own.test(path));
		expect(paths.sort()).toEqual(whole.sort());
	}, 60_000);

	test.each([
		'/docs',
		'/status',
		'/runbook',
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
		for (const path of ['/', '/docs', '/status', '/runbook']) {
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
