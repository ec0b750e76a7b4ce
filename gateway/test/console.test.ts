import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

/** Of the page, its styles and all modules that it needs to show a form. */
const firstLoadBytesMax = 60_000;

describe('the pages below /app', () => {
	let gateway: TestGateway;
	beforeAll(async () => {
		gateway = await startTestGateway();
	});
	afterAll(() => gateway.close());
	const get = (path: string) => fetch(gateway.url + path, { headers: { Accept: 'text/html,*/*;q=0.8' } });

	test(`load at most ${firstLoadBytesMax} bytes in gzip`, async () => {
		const html = await (await get('/app/sign-in')).text();
		const files = Array.from(html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g), ([, path = '']) => path);
		expect(files.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(20);
		const texts = await Promise.all(
			files.map(async (path) => {
				const response = await get(path);
				expect([path, response.status]).toEqual([path, 200]);
				return response.text();
			}),
		);
		const sizes = [html, ...texts].map((text) => gzipSync(text).length);
		expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(firstLoadBytesMax);
		// No type is left, and no import that a browser can't resolve.
		for (const text of texts) expect(text).not.toMatch(/^(?:interface|import type|import .* from ["'][^.])/m);
	});

	test('have a policy under which no text becomes HTML or a script', async () => {
		const { headers } = await get('/app/profile');
		const policy = headers.get('content-security-policy') ?? '';
		expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
		const others = (await get('/')).headers.get('content-security-policy')?.split(';') ?? [];
		// Nothing that other pages are refused is allowed here.
		for (const directive of others) expect(policy.split(/; ?/)).toContain(directive.trim());
	});

	test.each([
		'/app',
		'/app/verify',
		'/app/reset-password',
		'/app/change-email',
		'/app/link-identity',
		'/app/privacy/export',
	])('%s, as in mails, is there', async (path) => {
		const response = await get(path);
		expect([response.status, response.headers.get('content-type')]).toEqual([
			200,
			'text/html; charset=utf-8',
		]);
		expect(await response.text()).toContain('console.main.js');
	});

	test.each(['/app/nothing', '/app/privacy/nothing', '/app/privacy/export/more'])(
		'%s is not found',
		async (path) => {
			const response = await get(path);
			expect(response.status).toBe(404);
			expect(await response.text()).toContain('Page not found');
		},
	);
});

test.each([
	['CONSOLE=off', { CONSOLE: 'off' }],
	['no accounts', { CONTEXTS: 'masterdata' }],
])('with %s there are no such pages, and no links to them', async (_why, settings) => {
	const gateway = await startTestGateway({ settings });
	for (const path of ['/app', '/app/sign-in', '/assets/console.main.js'])
		expect([path, (await fetch(gateway.url + path)).status]).toEqual([path, 404]);
	for (const path of ['/', '/docs']) {
		const html = await (await fetch(gateway.url + path, { headers: { Accept: 'text/html' } })).text();
		expect(html).not.toContain('/app');
	}
	await gateway.close();
});
