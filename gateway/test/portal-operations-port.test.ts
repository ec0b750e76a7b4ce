import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createOperationsApp } from '../src/app.ts';
import { readPortalFiles } from '../src/portal/portal-documents.ts';
import { sendRequest } from './send-request.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const files = await readPortalFiles();

describe('a deployment with OPS_PORT', () => {
	let gateway: TestGateway;
	beforeAll(async () => {
		gateway = await startTestGateway({
			portalFiles: files,
			settings: { OPS_PORT: '9', CONTEXTS: 'masterdata' },
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
		const server = createServer(createOperationsApp(gateway.opened.deps)).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const page = await sendRequest(port, { path: '/status' });
		expect(page.status).toBe(200);
		expect(page.body).not.toContain('href="/docs"');
		const loaded = [...page.body.matchAll(/(?:src|href)="(\/assets[^"]*)"/g)].map(([, path = '']) => path);
		expect(loaded.length).toBeGreaterThan(3);
		for (const path of loaded)
			expect([path, (await sendRequest(port, { path })).status]).toEqual([path, 200]);
		expect((await sendRequest(port, { path: '/' })).status).toBe(404);
		expect((await sendRequest(port, { path: '/status/' })).headers.location).toBe('/status');
		server.close();
	});
});
