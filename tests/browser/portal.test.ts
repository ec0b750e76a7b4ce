import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
	type ChildService,
	describeWithBrowser,
	freePort,
	openPage,
	type System,
	startBrowser,
	startChildService,
	startSystem,
	systemAdmin,
} from '@paddock/testing';

import { type ClientPage, inClientPage, startClientPage } from './client-page.ts';

type Browser = Awaited<ReturnType<typeof startBrowser>>;
type Page = Awaited<ReturnType<typeof openPage>>['page'];

const looks = {
	light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
	dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
	phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
	narrow: { colorScheme: 'light', viewport: { width: 320, height: 640 } },
} as const;

// Selectors of pages that have loaded all data.
const readyWhen: Readonly<Record<string, string>> = {
	'/': '#overall[data-state="UP"]',
	'/status': '#overall[data-state="UP"]',
	'/docs': '#operations-authentication-login',
};

describeWithBrowser('the portal in Chromium', () => {
	let system: System;
	let browser: Browser;
	let elsewhere: ClientPage;
	beforeAll(async () => {
		elsewhere = await startClientPage();
		const gateway = { CORS_ORIGINS: elsewhere.origin };
		[system, browser] = await Promise.all([startSystem({ gateway }), startBrowser()]);
	}, 60_000);
	afterAll(async () => {
		await browser?.close();
		await system?.stop();
		await elsewhere.close();
	});
	const open = (path: string, look: keyof typeof looks = 'light') =>
		openPage(browser, system.gateway.url, path, looks[look]);

	describe.each(Object.keys(readyWhen))('%s', (path) => {
		test.each(['light', 'dark', 'phone'] as const)(
			'%s: no serious axe violation, no failed or blocked request, no horizontal overflow',
			async (look) => {
				const { page, problems, close } = await open(path, look);
				await page.waitForSelector(readyWhen[path] ?? 'main');
				expect(await seriousIn(new AxeBuilder({ page }))).toEqual([]);
				expect(await widthBeyondWindow(page)).toBeLessThanOrEqual(0);
				expect(problems).toEqual([]);
				await close();
			},
			// axe is slow with sixty operations.
			60_000,
		);

		test('the first Tab stop skips the navigation', async () => {
			const { page, close } = await open(path);
			await page.waitForSelector(readyWhen[path] ?? 'main');
			await page.keyboard.press('Tab');
			expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
			await page.keyboard.press('Enter');
			expect(await page.evaluate('document.activeElement.id')).toBe('main');
			await close();
		});
	});

	describe('the status page', () => {
		let limited: ChildService | undefined;
		// A process left by a failed test would prevent the run from ending.
		afterAll(async () => {
			await limited?.stop();
		});

		test('shows DOWN within 3 s when a service is killed, and UP within 15 s after its restart', async () => {
			const { page, problems, close } = await open('/status');
			await page.waitForSelector('#overall[data-state="UP"]');
			const [masterdata] = system.services.masterdata;
			await masterdata?.kill();
			await page.waitForSelector('#overall[data-state="DOWN"]', { timeout: 3_000 });
			const card = page.locator('[data-card="masterdata"]');
			expect(await card.locator('.card-head .word').textContent()).toBe('DOWN');
			expect(await card.locator('.trouble').textContent()).toContain('ECONNREFUSED');
			expect(await page.locator('#headline').textContent()).toBe('Down: masterdata.');
			expect(await page.title()).toContain('DOWN');

			await masterdata?.start();
			await page.waitForSelector('#overall[data-state="UP"]', { timeout: 15_000 });
			expect(await page.locator('#history').textContent()).toMatch(/masterdata Health.*DOWN.*UP/);
			// The outage remains in the latency sparkline.
			expect(await card.locator('.sparkline .bad.DOWN').count()).toBeGreaterThan(0);
			expect(problems).toEqual([]);
			await close();
		}, 40_000);

		test('shows the age of its data, marks it as stale, and reconnects when the gateway is back', async () => {
			const { page, close } = await open('/status');
			await page.waitForSelector('#connection[data-live="live"]');
			expect(await page.locator('#age').textContent()).toBe('data is 0 s old');
			await system.gateway.kill();
			await page.waitForSelector('#connection[data-live="lost"]', { timeout: 3_000 });
			await page.waitForSelector('#overall[data-state="UNKNOWN"]', { timeout: 12_000 });
			expect(await page.locator('#age').textContent()).toMatch(/data is [5-9] s old/);
			await system.gateway.start();
			await page.waitForSelector('#overall[data-state="UP"]', { timeout: 10_000 });
			expect(await page.locator('#connection').textContent()).toBe('Live');
			await close();
		}, 40_000);

		test('shows the public view without a token, and details with an administrator’s token', async () => {
			limited = await limitedGateway(system);
			const { page, close } = await openPage(browser, limited.url, '/status');
			await page.waitForSelector('#overall[data-state="UP"]');
			const card = page.locator('[data-card="masterdata"]');
			expect(await card.textContent()).not.toContain('127.0.0.1');
			await page.fill('#token', await system.signIn());
			await page.click('#sign-in button');
			await card.getByText(`127.0.0.1:${system.services.masterdata[0]?.port}`).waitFor();
			expect(await page.locator('#sign-in').isVisible()).toBe(false);
			await close();
		}, 30_000);
	});

	describe('the traffic and overrides on the status page', () => {
		const countries = () => fetch(`${system.gateway.url}/api/masterdata/countries?size=1`);

		test('shows rate, errors and percentiles per context, refusals by code, date and time zone', async () => {
			await countries();
			await fetch(`${system.gateway.url}/nowhere`);
			const { page, problems, close } = await openPage(browser, system.gateway.url, '/status', {
				timezoneId: 'America/Bogota',
			});
			const numbers = page.locator('[data-card="masterdata"] .numbers');
			await numbers.getByText(/p50 ≈ .* ms · p95 ≈ .* ms|no requests/).waitFor({ timeout: 20_000 });
			expect(await page.locator('[data-card="masterdata"] .traffic .sparkline').count()).toBeGreaterThan(0);
			await page.locator('#refusals').getByText('ROUTE_NOT_FOUND').waitFor();
			expect(await page.locator('#clock').textContent()).toMatch(/20\d\d at .* \(America\/Bogota\)$/);
			expect(problems).toEqual([]);
			await close();
		}, 40_000);

		test.each(['dark', 'narrow'] as const)(
			'%s: an administrator overrides breakers with the keyboard; clients read the reason, the page names the administrator',
			async (look) => {
				const { page, problems, close } = await open('/status', look);
				await page.waitForSelector('#overall[data-state="UP"]');
				const card = page.locator('[data-card="masterdata"]');
				expect(await card.getByRole('button').count()).toBe(0);
				await page.focus('#access-title');
				await page.keyboard.press('Enter');
				await page.fill('#email', systemAdmin.email);
				await page.fill('#password', systemAdmin.password);
				await page.keyboard.press('Enter');
				const override = card.getByRole('button', { name: 'Override breakers of masterdata' });
				await override.press('Enter');
				const dialog = page.getByRole('dialog', { name: 'Override breakers of masterdata' });
				await dialog.getByLabel('Reason', { exact: true }).fill('the database is being moved');
				expect(await seriousIn(new AxeBuilder({ page }))).toEqual([]);
				expect(await widthBeyondWindow(page)).toBeLessThanOrEqual(0);
				await page.keyboard.press('Enter');
				await card.locator('.forced').waitFor();
				expect(await card.locator('.forced').textContent()).toMatch(
					/^Overridden by [^\d]+, until .*: the database is being moved$/,
				);
				expect(await override.evaluate((button) => button.matches(':focus'))).toBe(true);
				const refused = await countries();
				expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
					503,
					'Closed for maintenance: the database is being moved',
				]);

				await override.press('Enter');
				await dialog.getByRole('radio', { name: /^Automatic/ }).check();
				await dialog.getByLabel('Reason', { exact: true }).fill('moved');
				await page.keyboard.press('Enter');
				await card.locator('.forced').waitFor({ state: 'detached' });
				expect((await countries()).status).toBe(200);
				expect(problems).toEqual([]);
				await close();
			},
			40_000,
		);
	});

	describe('the explorer', () => {
		test('keeps the device token of a sign-in and sends it with the next one, in another tab too', async () => {
			const { page, close } = await open('/docs');
			const signIn = async (tab: Page) => {
				await tab.fill('#email', ` ${systemAdmin.email.toUpperCase()}`);
				await tab.fill('#password', systemAdmin.password);
				const sent = tab.waitForRequest('**/auth/login');
				await tab.click('#sign-in [type=submit]');
				await tab.waitForSelector('#signed-in:not([hidden])');
				return (await sent).headers()['x-device-token'];
			};
			expect(await signIn(page)).toBeUndefined();
			const next = await page.context().newPage();
			await next.goto(`${system.gateway.url}/docs`);
			await next.waitForSelector(readyWhen['/docs'] ?? 'main');
			expect(await signIn(next)).toMatch(/^[\w-]{43}$/);
			await close();
		}, 30_000);

		test('describes each failure of an operation by its codes and their messages', async () => {
			const { page, close } = await open('/docs');
			const replace = '#operations-authentication-setUserStatus';
			await page.click(`${replace} .opblock-summary-control`);
			const conflict = page.locator(`${replace} .response[data-code="409"]`);
			await conflict.waitFor();
			expect(await conflict.textContent()).toMatch(/LAST_ADMINISTRATOR: \w+ \w+/);
			expect(await page.locator(`${replace} .response[data-code="default"]`).textContent()).toContain(
				'CIRCUIT_OPEN',
			);
			await close();
		}, 30_000);

		test('signs in and executes a protected call, which fails again after signing out', async () => {
			const { page, close } = await open('/docs');
			await page.fill('#email', systemAdmin.email);
			await page.fill('#password', 'not this one');
			await page.click('#sign-in [type=submit]');
			await page.waitForSelector('#access-note[data-error]');
			await page.fill('#password', systemAdmin.password);
			await page.click('#sign-in [type=submit]');
			await page.waitForSelector('#signed-in:not([hidden])');
			expect(await page.locator('#who').textContent()).toContain(systemAdmin.email);

			await page.click('#operations-authentication-getProfile .opblock-summary-control');
			expect(await execute(page, profile)).toBe('200');
			expect(await page.locator(`${profile} .live-responses-table`).textContent()).toContain(
				systemAdmin.email,
			);
			expect(await seriousIn(new AxeBuilder({ page }).include(profile))).toEqual([]);
			await page.click('#sign-out');
			await page.waitForSelector('#sign-in:not([hidden])');
			await page.click(`${profile} .btn-clear`);
			expect(await execute(page, profile)).toBe('401');
			await close();
		}, 30_000);

		// Swagger UI leaves optional headers empty, so a PUT overwrote concurrent changes.
		test('replaces a record with the version that was read, and shows it in the curl command', async () => {
			const { page, close } = await open('/docs');
			await page.fill('#email', systemAdmin.email);
			await page.fill('#password', systemAdmin.password);
			await page.click('#sign-in [type=submit]');
			await page.waitForSelector('#signed-in:not([hidden])');
			await page.click(`${profile} .opblock-summary-control`);
			expect(await execute(page, profile)).toBe('200');
			const change = '#operations-authentication-updateProfile';
			await page.click(`${change} .opblock-summary-control`);
			const sent = page.waitForRequest((request) => request.method() === 'PUT');
			expect(await execute(page, change)).toBe('200');
			expect(await (await sent).headerValue('if-match')).toMatch(/^"[^"]+"$/);
			expect(await page.locator(`${change} .curl-command`).textContent()).toContain('If-Match');
			await close();
		}, 30_000);
	});

	test('a page of another origin signs in with the client library, refreshes once, and overwrites no change', async () => {
		const { page, close } = await openPage(browser, elsewhere.origin, '/');
		const refreshes: string[] = [];
		page.on('request', (request) => {
			if (request.method() === 'POST' && request.url().endsWith('/auth/refresh'))
				refreshes.push(request.url());
		});
		expect(await page.evaluate(inClientPage(system.gateway.url))).toEqual({
			email: systemAdmin.email,
			parallel: 20,
			conflict: ['PRECONDITION_FAILED', 412],
			health: 'UP',
			isSignedIn: false,
		});
		expect(refreshes).toHaveLength(1);
		await close();
	}, 30_000);
});

const profile = '#operations-authentication-getProfile';

/** Executes the expanded operation. @returns the status shown by the explorer */
async function execute(page: Page, operation: string): Promise<string> {
	await page.click(`${operation} .execute`);
	const status = page.locator(`${operation} .live-responses-table tbody .response-col_status`);
	await status.waitFor();
	return (await status.textContent())?.match(/\d{3}/)?.[0] ?? '';
}

/** The serious and critical violations found by axe, with their elements. */
async function seriousIn(axe: AxeBuilder): Promise<unknown[]> {
	const { violations } = await axe.options({ resultTypes: ['violations'] }).analyze();
	const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
	return serious.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]);
}

function widthBeyondWindow(page: Page): Promise<number> {
	return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}

/** Starts a second gateway for the same services with HEALTH_DETAILS=authorized. */
async function limitedGateway(system: System): Promise<ChildService> {
	const instances = Object.entries(system.services).flatMap(([name, services]) =>
		services.map(({ url }) => `${name}-service=${url}`),
	);
	return startChildService({
		main: 'gateway/src/main.ts',
		port: await freePort(),
		env: {
			SERVICE_INSTANCES: instances.join(','),
			CONTEXTS: 'auth,masterdata,ping',
			HEALTH_DETAILS: 'authorized',
			DRAIN_MS: '0',
		},
		readyPath: '/actuator/health',
	});
}
