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
import { looks, renewSoon, seriousIn, widthBeyondWindow } from './looks.ts';

describeWithBrowser('the status page in Chromium', () => {
	let system: System;
	let browser: Awaited<ReturnType<typeof startBrowser>>;
	beforeAll(async () => {
		[system, browser] = await Promise.all([startSystem(), startBrowser()]);
	}, 60_000);
	afterAll(async () => {
		await browser?.close();
		await system?.stop();
	});
	const open = (path: string, look: keyof typeof looks = 'light') =>
		openPage(browser, system.gateway.url, path, looks[look]);

	describe('its health', () => {
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
			expect(await card.locator('.problem').textContent()).toContain('ECONNREFUSED');
			expect(await page.locator('#headline').textContent()).toBe('Down: masterdata.');
			expect(await page.title()).toContain('DOWN');

			await masterdata?.restart();
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
			await system.gateway.restart();
			await page.waitForSelector('#overall[data-state="UP"]', { timeout: 10_000 });
			expect(await page.locator('#connection').textContent()).toBe('Live');
			await close();
		}, 40_000);

		test('shows the public view without a token, and details and the other gateways with an administrator’s token', async () => {
			limited = await limitedGateway(system);
			const { page, close } = await openPage(browser, limited.url, '/status');
			await page.waitForSelector('#overall[data-state="UP"]');
			const card = page.locator('[data-card="masterdata"]');
			const others = page.locator('#other-gateways');
			expect(await card.textContent()).not.toContain('127.0.0.1');
			expect(await others.isVisible()).toBe(false);
			await page.fill('#token', await system.signIn());
			await page.click('#sign-in button');
			await card.getByText(`127.0.0.1:${system.services.masterdata[0]?.port}`).waitFor();
			expect(await page.locator('#sign-in').isVisible()).toBe(false);
			await others.getByText(`127.0.0.1:${system.gateway.port}`).waitFor();
			// Too few of them degrade the gateway.
			await page.locator('#gateway').getByText('2 of 2 ready').waitFor();
			await close();
		}, 30_000);
	});

	// Any failure of a renewal signed out, so an outage of auth took the overrides from its administrators.
	test('keeps an administrator signed in while auth is down', async () => {
		const { page, close } = await open('/status');
		await renewSoon(page);
		await page.click('#access-title');
		await page.fill('#email', systemAdmin.email);
		await page.fill('#password', systemAdmin.password);
		const [auth] = system.services.auth;
		const renewal = (isMeant: (status: number) => boolean) =>
			page.waitForResponse((at) => at.url().endsWith('/auth/refresh') && isMeant(at.status()));
		const refused = renewal((status) => status >= 500);
		await page.keyboard.press('Enter');
		await page.locator('#who').getByText(systemAdmin.email).waitFor();
		await auth?.kill();
		await refused;
		await auth?.restart();
		await renewal((status) => status === 200);
		expect(await page.locator('#who').isVisible()).toBe(true);
		await close();
	}, 40_000);

	describe('its traffic and overrides', () => {
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

		test('names the time zone UTC once', async () => {
			const { page, close } = await openPage(browser, system.gateway.url, '/status', { timezoneId: 'UTC' });
			await page
				.locator('#clock')
				.getByText(/20\d\d at [\d:]+ UTC$/)
				.waitFor();
			await close();
		}, 20_000);

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
});

/** Starts a second gateway for the same services, with workers and HEALTH_DETAILS=authorized. */
async function limitedGateway(system: System): Promise<ChildService> {
	const instances = Object.entries(system.services).flatMap(([name, services]) =>
		services.map(({ url }) => `${name}-service=${url}`),
	);
	return startChildService({
		main: 'gateway/src/main.ts',
		port: await freePort(),
		env: {
			SERVICE_INSTANCES: [...instances, `gateway=${system.gateway.url}`].join(','),
			CONTEXTS: 'auth,masterdata,ping',
			HEALTH_DETAILS: 'authorized',
			WORKERS: '2',
			DRAIN_MS: '0',
		},
		readyPath: '/actuator/health',
	});
}
