import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@paddock/testing';
import { parse } from 'yaml';
import { operationsPages } from '../src/pages/gateway-pages.ts';
import { readPortalFiles } from '../src/portal/portal-documents.ts';
import { operationsPipeline } from '../src/request-pipeline.ts';
import { sendRequest } from './send-request.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const files = await readPortalFiles();

describe('a deployment with OPS_PORT', () => {
	let gateway: TestGateway;
	beforeAll(async () => {
		gateway = await startTestGateway({
			portalFiles: files,
			settings: { OPS_PORT: '9', CONTEXTS: 'masterdata', HEALTH_DETAILS: 'authorized' },
			services: { 'masterdata-service': [`http://127.0.0.1:${await freePort()}`] },
		});
	});
	afterAll(() => gateway.close());

	test('the public port mentions neither operations pages nor demo accounts', async () => {
		const landing = await (await fetch(gateway.url, { headers: { Accept: 'text/html' } })).text();
		expect(landing).not.toMatch(/\/status|actuator|\/auth\/login/);
		expect((await fetch(`${gateway.url}/status`)).status).toBe(404);
		const document = parse(await (await fetch(`${gateway.url}/openapi.yaml`)).text()) as {
			paths: Record<string, object>;
		};
		expect(Object.keys(document.paths).filter((path) => /actuator|\/auth|status/.test(path))).toEqual([]);
	});

	test('the status page and its resources are on OPS_PORT', async () => {
		const server = createServer(
			operationsPipeline(gateway.opened.deps, operationsPages(gateway.opened.deps)),
		).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const page = await sendRequest(port, { path: '/status' });
		expect(page.status).toBe(200);
		expect(page.body).not.toContain('href="/docs"');
		const loaded = [...page.body.matchAll(/(?:src|href)="(\/assets[^"]*)"/g)].map(([, path = '']) => path);
		expect(loaded.length).toBeGreaterThan(3);
		for (const path of loaded)
			expect([path, (await sendRequest(port, { path })).status]).toEqual([path, 200]);
		expect((await sendRequest(port, { path: '/status/' })).headers.location).toBe('/status');
		server.close();
	});

	test('the root of OPS_PORT is a page with links, each of which responds without a token', async () => {
		const server = createServer(
			operationsPipeline(gateway.opened.deps, operationsPages(gateway.opened.deps)),
		).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const page = await sendRequest(port, { path: '/', headers: { Accept: 'text/html' } });
		expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
		const hrefs = [...page.body.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path);
		const { links } = (await sendRequest(port, { path: '/' })).json().data as {
			links: Record<string, string>;
		};
		expect(hrefs).toEqual(expect.arrayContaining(Object.values(links)));
		expect(links['status']).toBe('/status');
		for (const path of hrefs) {
			const { status } = await sendRequest(port, { path });
			// Health is 503 while a critical service is down.
			expect([path, status]).toEqual([path, path.endsWith('/health') ? 503 : 200]);
		}
		server.close();
	});

	test('shows causes and addresses without a token, whatever HEALTH_DETAILS is: nobody can sign in while auth is down', async () => {
		const server = createServer(
			operationsPipeline(gateway.opened.deps, operationsPages(gateway.opened.deps)),
		).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const read = async (path: string) => (await sendRequest(port, { path })).json().data;
		expect(await read('/actuator/health/masterdata')).toMatchObject({
			status: 'DOWN',
			reason: 'ERROR',
			message: 'No valid response (ECONNREFUSED)',
			instances: [{ address: expect.stringMatching(/^127\.0\.0\.1:\d+$/), breaker: { state: 'CLOSED' } }],
		});
		expect(await read('/actuator/breakers')).toMatchObject({ breakers: [{ context: 'masterdata' }] });
		expect(await read('/actuator/gateways')).toBeDefined();
		for (const path of ['/actuator/env', '/actuator/httpexchanges'])
			expect((await sendRequest(port, { path })).status).toBe(401);
		const forced = await sendRequest(port, {
			method: 'POST',
			path: '/actuator/breakers/masterdata/open',
			body: '{}',
		});
		expect(forced.status).toBe(401);
		server.close();
	});
});
