import { readFile } from 'node:fs/promises';
import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readPortalFiles } from '../src/portal/portal-documents.ts';
import { type OpenApi, undefinedCodes } from './openapi-document.ts';
import { sendRequest } from './send-request.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

interface Folder {
	name: string;
	item?: Folder[];
	request?: { url: { raw: string; path: string[] } };
}

const files = await readPortalFiles();

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
		const whole = parse(await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as OpenApi;
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
