import { readFile } from 'node:fs/promises';
import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readPortalFiles } from '../src/portal/portal-documents.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

// A deployment without members, ping and the status page.
const contexts = ['auth', 'masterdata', 'horses', 'events'];
let gateway: TestGateway;

beforeAll(async () => {
	gateway = await startTestGateway({
		portalFiles: await readPortalFiles(),
		settings: { CONTEXTS: contexts.join(','), STATUS_PAGE: 'off' },
	});
});
afterAll(() => gateway.close());

const get = (path: string, accept = '*/*') => fetch(gateway.url + path, { headers: { Accept: accept } });
const text = async (path: string, accept?: string) => (await get(path, accept)).text();

test('the landing page and the explorer show only these contexts', async () => {
	const landing = await text('/', 'text/html');
	const named = [...landing.matchAll(/data-context="(\w+)"/g)].map(([, name]) => name);
	expect([...new Set(named)]).toEqual(contexts);
	for (const page of [landing, await text('/docs', 'text/html')])
		expect(page).not.toMatch(/\/status|\/api\/members|\/api\/ping/);
	const { data } = JSON.parse(await text('/')) as { data: { contexts: { name: string }[]; links: object } };
	expect(data.contexts.map(({ name }) => name)).toEqual(contexts);
	expect(data.links).not.toHaveProperty('status');
});

test('openapi.yaml, the document of the explorer and the collection contain exactly these contexts', async () => {
	const document = parse(await text('/openapi.yaml')) as {
		paths: Record<string, object>;
		tags: { name: string }[];
		components: { schemas: object };
	};
	await SwaggerParser.validate(structuredClone(document) as never);
	expect(JSON.parse(await text('/assets/openapi.json'))).toEqual(document);
	const committed = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');
	const whole = parse(committed) as typeof document;
	const belongs = (path: string) =>
		!/^\/(status$|runbook$|api\/(?!(masterdata|horses|events)(\/|$)))/.test(path);
	expect(Object.keys(document.paths)).toEqual(Object.keys(whole.paths).filter(belongs));
	expect(document.tags.map(({ name }) => name)).not.toContain('members');
	expect(Object.keys(document.components.schemas)).not.toContain('Member');
	const { item } = JSON.parse(await text('/postman/collection.json')) as {
		item: { name: string; item: { request: { url: { path: string[] } } }[] }[];
	};
	const folders = item.map(({ name }) => name);
	expect(folders).toEqual([
		'Try by hand',
		'portal',
		'auth',
		'masterdata',
		'horses',
		'events',
		'operations',
		'leaving',
	]);
	const paths = item.flatMap((folder) => folder.item.map(({ request }) => `/${request.url.path.join('/')}`));
	expect(paths.filter((path) => !belongs(path))).toEqual([]);
	expect(paths.filter((path) => path.startsWith('/api/horses')).length).toBeGreaterThan(15);
});

test('members and the status page return 404', async () => {
	for (const path of ['/api/members', '/api/members/clubs', '/api/ping', '/status', '/runbook']) {
		const response = await get(path);
		const { data } = (await response.json()) as { data: { code: string } };
		expect([path, response.status, data.code]).toEqual([path, 404, 'ROUTE_NOT_FOUND']);
	}
	const health = (await (await get('/actuator/health')).json()) as { data: { components: object } };
	expect(Object.keys(health.data.components).sort()).toEqual([...contexts, 'discovery', 'gateway'].sort());
});
