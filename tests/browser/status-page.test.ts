import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
	type ChildService,
	createApiClient,
	describeWithBrowser,
	eventually,
	freePort,
	openPage,
	patient,
	startBrowser,
	startChildService,
	type WatchedPage,
} from '@paddock/testing';
import { generate } from 'otplib';
import { type System, startSystem, systemAdmin } from '../system.ts';
import { looks, type Page, renewSoon, seriousIn, widthBeyondWindow } from './looks.ts';

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
		let folder: string | undefined;
		// A process left by a failed test would prevent the run from ending.
		afterAll(async () => {
			await limited?.stop();
			if (folder !== undefined) await rm(folder, { recursive: true });
		});

		test('shows DOWN within 3 s when a service is killed, and UP within 15 s after its restart', async () => {
			const { page, problems, close } = await open('/status');
			await page.waitForSelector('#overall[data-state="UP"]');
			const [masterdata] = system.services.masterdata;
			await masterdata?.kill();
			await page.waitForSelector('#overall[data-state="DOWN"]', { timeout: patient(3_000) });
			const card = page.locator('[data-card="masterdata"]');
			expect(await card.locator('.card-head .word').textContent()).toBe('DOWN');
			expect(await card.locator('.problem').textContent()).toContain('ECONNREFUSED');
			expect(await page.locator('#headline').textContent()).toBe('masterdata is not running');
			expect(await page.locator('#cause').textContent()).toMatch(/^since \d\d:\d\d:\d\d, for \d+ s/);
			expect(await page.locator('#totals').textContent()).toMatch(/2 of 3.*2 of 3/s);
			expect(await page.locator('.card h3').first().textContent()).toBe('masterdata');
			expect(await page.title()).toContain('DOWN');

			await masterdata?.restart();
			await page.waitForSelector('#overall[data-state="UP"]', { timeout: patient(15_000) });
			expect(await page.locator('#history').textContent()).toMatch(/masterdata Health.*DOWN.*UP/);
			// The outage remains in the latency sparkline.
			expect(await card.locator('.sparkline .bad.DOWN').count()).toBeGreaterThan(0);
			expect(problems).toEqual([]);
			await close();
		}, 40_000);

		test('leads to the section of the runbook', async () => {
			const { page, problems, close } = await open('/status', 'phone');
			const [ping] = system.services.ping;
			await ping?.kill();
			await page.getByRole('link', { name: 'Runbook: OptionalContextDown' }).click();
			await page.waitForURL('**/runbook#optionalcontextdown');
			expect(await page.locator(':target').textContent()).toBe('OptionalContextDown');
			expect(await seriousIn(new AxeBuilder({ page }))).toEqual([]);
			expect(await widthBeyondWindow(page)).toBeLessThanOrEqual(0);
			expect(problems).toEqual([]);
			await ping?.restart();
			await close();
		}, 30_000);

		test('shows the age of its data, marks it as stale, and reconnects when the gateway is back', async () => {
			const { page, close } = await open('/status');
			await page.waitForSelector('#connection[data-live="live"]');
			expect(await page.locator('#age').textContent()).toBe('data is 0 s old');
			await system.gateway.kill();
			await page.waitForSelector('#connection[data-live="lost"]', { timeout: patient(3_000) });
			await page.waitForSelector('#overall[data-state="UNKNOWN"]', { timeout: patient(12_000) });
			expect(await page.locator('#age').textContent()).toMatch(/data is [5-9] s old/);
			expect(await page.locator('#headline').textContent()).toContain('does not respond');
			await system.gateway.restart();
			await page.waitForSelector('#overall[data-state="UP"]', { timeout: patient(10_000) });
			expect(await page.locator('#connection').textContent()).toBe('Live');
			await close();
		}, 40_000);

		test('shows the public view without a token, and details and the other gateways with an administrator’s token', async () => {
			folder = await mkdtemp(join(tmpdir(), 'paddock-status-'));
			const contextsFile = join(folder, 'contexts.yaml');
			await writeFile(contextsFile, '[]');
			limited = await limitedGateway(system, contextsFile);
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
			await page.locator('#gateway').getByText('as CONTEXTS_FILE says').waitFor();
			await writeFile(contextsFile, '- {');
			await page
				.locator('#gateway')
				.getByText('CONTEXTS_FILE is not valid, the former one is used')
				.waitFor();
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

	describe('its sign-in', () => {
		const signIn = async (page: Page) => {
			await page.fill('#email', systemAdmin.email);
			await page.fill('#password', systemAdmin.password);
			await page.keyboard.press('Enter');
			await page.locator('#who').getByText(systemAdmin.email).waitFor();
		};

		test('is that of the explorer, on the next page, in other tabs and after a reload, and so is the sign-out', async () => {
			const { page, problems, close } = await open('/docs');
			await signIn(page);
			await page.getByRole('link', { name: 'Status' }).click();
			const override = (tab: Page) => tab.getByRole('button', { name: 'Override breakers of auth' });
			await override(page).waitFor();
			await page.reload();
			await override(page).waitFor();
			const other = await page.context().newPage();
			await other.goto(`${system.gateway.url}/docs`);
			await other.locator('#who').getByText(systemAdmin.email).waitFor();
			await other.click('#sign-out');
			await override(page).waitFor({ state: 'hidden' });
			await page.reload();
			await page.waitForSelector('#overall[data-state="UP"]');
			expect(await override(page).isVisible()).toBe(false);
			expect(problems).toEqual([]);
			await close();
		}, 40_000);

		test('is renewed in one of two tabs, for both', async () => {
			const { page, close } = await open('/status');
			const renewals: string[] = [];
			page.context().on('request', (request) => {
				if (request.url().endsWith('/auth/refresh')) renewals.push(request.url());
			});
			const other = await page.context().newPage();
			await other.goto(`${system.gateway.url}/docs`);
			await page.click('#access-title');
			// The token ends in 36 s, so the tabs renew it within the next 6 s, and the next one long after.
			await page.route(/\/auth\/login$/, async (route) => {
				const response = await route.fetch();
				const { data, ...envelope } = await response.json();
				await route.fulfill({ response, json: { ...envelope, data: { ...data, expiresIn: 36 } } });
			});
			await signIn(page);
			const tokenOf = (tab: Page) =>
				tab.evaluate<string>("JSON.parse(sessionStorage.getItem('paddock.session')).session.accessToken");
			const first = await tokenOf(page);
			for (const tab of [page, other])
				await eventually('renewed', async () => (await tokenOf(tab)) !== first);
			expect(await tokenOf(other)).toBe(await tokenOf(page));
			expect(renewals).toHaveLength(1);
			await close();
		}, 30_000);
	});

	describe('its terms', () => {
		let watched: WatchedPage;
		beforeAll(async () => {
			const options = { hasTouch: true, ...looks.phone };
			watched = await openPage(browser, system.gateway.url, '/status', options);
			await watched.page.waitForSelector('#overall[data-state="UP"]');
		}, 30_000);
		afterAll(() => watched?.close());

		test.each([['hover'], ['focus'], ['tap']] as const)(
			'are explained on %s, and Escape hides the text again',
			async (how) => {
				const { page } = watched;
				const text = page.locator('.tip');
				expect(await text.isVisible()).toBe(false);
				const word = page.locator('#totals').getByRole('button', { name: 'Breakers' });
				await word[how]();
				await text.getByText('Circuit breaker').waitFor();
				const id = (await word.getAttribute('aria-describedby')) ?? '';
				expect(await page.locator(`#${id}`).textContent()).toBe(await text.textContent());
				expect(await widthBeyondWindow(page)).toBeLessThanOrEqual(0);
				await page.keyboard.press('Escape');
				expect(await text.isVisible()).toBe(false);
				// As on a page on which nothing has been touched.
				await page.mouse.move(0, 0);
				await word.blur();
			},
			30_000,
		);
	});

	describe('its traffic and overrides', () => {
		const countries = () => fetch(`${system.gateway.url}/api/masterdata/countries?size=1`);

		test('shows rate, errors and percentiles per context, refusals by code, date and time zone', async () => {
			await countries();
			await fetch(`${system.gateway.url}/nowhere`);
			const { page, problems, close } = await openPage(browser, system.gateway.url, '/status', {
				timezoneId: 'America/Bogota',
			});
			const numbers = page.locator('[data-card="masterdata"] .numbers');
			await numbers.getByText(/p50 ≈ .* ms · p95 ≈ .* ms|no requests/).waitFor({ timeout: patient(20_000) });
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
				expect(await card.getByRole('button', { name: /^Override/ }).count()).toBe(0);
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
					/^Closed for maintenance: the database is being moved · Forced open by [^\d]+, until .*$/,
				);
				// Card, banner and history say what clients read.
				const message = 'Closed for maintenance: the database is being moved';
				await card.locator('.problem').getByText(message).waitFor();
				await page.locator('#history').getByText(message).first().waitFor();
				await page.locator('#headline').getByText(`masterdata is ${message.toLowerCase()}`).waitFor();
				expect(await override.evaluate((button) => button.matches(':focus'))).toBe(true);
				const refused = await countries();
				expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
					503,
					message,
				]);

				await override.press('Enter');
				await dialog.getByRole('radio', { name: /^Automatic/ }).check();
				await dialog.getByLabel('Reason', { exact: true }).fill('moved');
				await page.keyboard.press('Enter');
				await card.locator('.forced').waitFor({ state: 'hidden' });
				expect((await countries()).status).toBe(200);
				expect(problems).toEqual([]);
				await close();
			},
			40_000,
		);

		test('asks for the second factor where an override needs it, and repeats the override', async () => {
			const api = createApiClient(system.gateway.url);
			const second = { email: 'second-admin@example.org', password: 'three bales and a bucket' };
			await api('POST', '/auth/register', { body: { ...second, lastName: 'Reiter' } });
			const admin = await system.signIn();
			const { items } = (
				await api<{ items: { id: string; email: string }[] }>('GET', '/auth/users?q=second-admin', {
					token: admin,
				})
			).data;
			const path = `/auth/users/${items[0]?.id}/roles`;
			const appointed = await api('PUT', path, { token: admin, body: { roles: ['ADMIN'] } });
			expect(appointed.status).toBe(200);

			const { page, problems, close } = await open('/status', 'phone');
			await page.click('#access-title');
			await page.fill('#email', second.email);
			await page.fill('#password', second.password);
			await page.keyboard.press('Enter');
			await page.locator('#who').getByText(second.email).waitFor();
			// The token of the page shows the password only.
			const token = await page.evaluate<string>(
				"JSON.parse(sessionStorage.getItem('paddock.session')).session.accessToken",
			);
			const begun = await api<{ secret: string }>('POST', '/auth/second-factors/totp', { token });
			const code = await generate({ secret: begun.data.secret });
			const enrolled = await api<{ recoveryCodes: string[] }>('POST', '/auth/second-factors/totp/confirm', {
				token,
				body: { code },
			});

			await page.getByRole('button', { name: 'Override breakers of masterdata' }).click();
			const dialog = page.getByRole('dialog', { name: 'Override breakers of masterdata' });
			await dialog.getByRole('radio', { name: /^Force closed/ }).check();
			await dialog.getByLabel('Reason', { exact: true }).fill('a second factor');
			await page.keyboard.press('Enter');
			const stepUp = page.getByRole('dialog', { name: 'Confirm your second factor' });
			await stepUp.waitFor();
			expect(await seriousIn(new AxeBuilder({ page }))).toEqual([]);
			expect(await widthBeyondWindow(page)).toBeLessThanOrEqual(0);
			await page.keyboard.type('000000');
			await page.keyboard.press('Enter');
			await stepUp.getByText('The second factor is wrong').waitFor();
			await page.keyboard.type(enrolled.data.recoveryCodes[0] ?? '');
			await page.keyboard.press('Enter');
			await page.locator('[data-card="masterdata"] .forced').getByText('a second factor').waitFor();
			expect([await stepUp.isVisible(), await dialog.isVisible()]).toEqual([false, false]);
			// Two refusals: the override without, and the confirmation with a wrong code.
			expect(problems.map((problem) => /status of (\d+)/.exec(problem)?.[1])).toEqual(['403', '400']);
			const action = '/actuator/breakers/masterdata/auto';
			const auto = await api('POST', action, { token: admin, body: { reason: 'done' } });
			expect(auto.status).toBe(200);
			await close();
		}, 40_000);
	});
});

/** Starts a second gateway for the same services, with workers and HEALTH_DETAILS=authorized. */
async function limitedGateway(system: System, contextsFile: string): Promise<ChildService> {
	const instances = Object.entries(system.services).flatMap(([name, services]) =>
		services.map(({ url }) => `${name}-service=${url}`),
	);
	return startChildService({
		main: 'gateway/src/main.ts',
		port: await freePort(),
		env: {
			SERVICE_INSTANCES: [...instances, `gateway=${system.gateway.url}`].join(','),
			CONTEXTS: 'auth,masterdata,ping',
			CONTEXTS_FILE: contextsFile,
			HEALTH_DETAILS: 'authorized',
			WORKERS: '2',
			DRAIN_MS: '0',
		},
		readyPath: '/actuator/health',
	});
}
