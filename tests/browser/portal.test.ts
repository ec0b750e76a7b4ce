import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { describeWithBrowser, eventually, openPage, startBrowser, type WatchedPage } from '@paddock/testing';
import { type System, startSystem, systemAdmin } from '../system.ts';
import { type ClientPage, inClientPage, startClientPage } from './client-page.ts';
import { looks, type Page, renewSoon, seriousIn, setLook, widthBeyondWindow } from './looks.ts';

type Browser = Awaited<ReturnType<typeof startBrowser>>;

// Selectors of pages that have loaded all data.
const readyWhen: Readonly<Record<string, string>> = {
	'/': '#overall[data-state="UP"]',
	'/status': '#overall[data-state="UP"]',
	'/runbook': '#contextdown',
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

	// One page for all looks: to load the explorer takes more processor time than to check it.
	describe.each(Object.keys(readyWhen))('%s', (path) => {
		let watched: WatchedPage;
		beforeAll(async () => {
			watched = await open(path);
			await watched.page.waitForSelector(readyWhen[path] ?? 'main');
		}, 30_000);
		afterAll(() => watched?.close());

		test('the first Tab stop skips the navigation', async () => {
			const { page } = watched;
			await page.keyboard.press('Tab');
			expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
			await page.keyboard.press('Enter');
			expect(await page.evaluate('document.activeElement.id')).toBe('main');
		});

		test.each(['light', 'dark', 'phone'] as const)(
			'%s: no serious axe violation, no failed or blocked request, no horizontal overflow',
			async (look) => {
				const { page, problems } = watched;
				await setLook(page, look);
				expect(await seriousIn(new AxeBuilder({ page }))).toEqual([]);
				expect(await widthBeyondWindow(page)).toBeLessThanOrEqual(0);
				expect(problems).toEqual([]);
			},
			// axe is slow with sixty operations.
			60_000,
		);
	});

	test('an unknown page has no serious axe violation', async () => {
		const { page, close } = await open('/nothing', 'narrow');
		await page.getByRole('heading', { name: 'Page not found' }).waitFor();
		expect(await seriousIn(new AxeBuilder({ page }))).toEqual([]);
		expect(await widthBeyondWindow(page)).toBeLessThanOrEqual(0);
		await close();
	}, 30_000);

	// Its tests share one page: each load takes a second of processor time.
	describe('the explorer', () => {
		const laptop = { viewport: { width: 1366, height: 768 } };
		let watched: WatchedPage;
		let page: Page;
		let loadS: number;
		let yardstickS: number;
		beforeAll(async () => {
			watched = await openPage(browser, system.gateway.url, '/nothing', laptop);
			page = watched.page;
			const devtools = await page.context().newCDPSession(page);
			await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
			await page.goto(`${system.gateway.url}/docs`);
			await page.waitForSelector('.opblock');
			const processorS = async () => {
				const { metrics } = await devtools.send('Performance.getMetrics');
				return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
			};
			loadS = await processorS();
			await page.evaluate('for (let i = 0; i < 3e6; i += 1) JSON.stringify({ i })');
			yardstickS = (await processorS()) - loadS;
			await devtools.detach();
		}, 30_000);
		afterAll(() => watched?.close());
		// Each render takes longer with each open operation.
		afterEach(async () => {
			const open = await page.locator('.opblock.is-open .opblock-summary-control').all();
			for (const operation of open.toReversed()) await operation.click();
		});
		const filter = () => page.getByLabel('Filter by tag, path or summary');

		test('shows an operation without scrolling on a laptop, and one way to sign in', async () => {
			const first = page.locator('.opblock').first();
			const box = await first.boundingBox();
			expect((box?.y ?? 768) + (box?.height ?? 0)).toBeLessThan(768);
			expect(await page.getByRole('button', { name: /authori[sz]/i }).count()).toBe(0);
			await first.locator('.opblock-summary-control').click();
			await page.locator('.execute').waitFor();
			expect(await page.locator('.authorization__btn, .auth-wrapper').count()).toBe(0);
		}, 30_000);

		// Processor time of the page, as other tests delay it, beside that of a fixed loop: 3 to 4 times as much.
		test('shows the operations of the first tag at once, and the others when they are opened or found', async () => {
			expect(loadS).toBeLessThan(8 * yardstickS);
			expect(await page.locator('.opblock-tag-section.is-open').count()).toBe(1);
			await filter().fill('age classes');
			await page.locator('#operations-masterdata-listAgeClasses').waitFor();
			expect(await page.locator('#operations-authentication-login').count()).toBe(0);
			// Of the summary only; the path has account ids.
			await filter().fill('member ROLES');
			await page.locator('#operations-authentication-setUserRoles').waitFor();
			// PUT and PATCH.
			expect(await page.locator('.opblock').count()).toBe(2);
			expect(await page.locator('.opblock.is-open').count()).toBe(0);
			await filter().fill('');
			await page.locator('#operations-authentication-login').waitFor();
		}, 30_000);

		// Swagger UI limits inputs to 175px in narrow windows, which cuts off the hint.
		test('has a filter as wide as its row on a phone', async () => {
			await page.setViewportSize(looks.phone.viewport);
			const [input, row] = await Promise.all(
				[filter(), filter().locator('..')].map((each) => each.boundingBox()),
			);
			expect(input?.width).toBe(row?.width);
			await page.setViewportSize(laptop.viewport);
		}, 30_000);

		test('describes each failure of an operation by its codes and their messages', async () => {
			const replace = '#operations-authentication-setUserStatus';
			await page.click(`${replace} .opblock-summary-control`);
			const conflict = page.locator(`${replace} .response[data-code="409"]`);
			await conflict.waitFor();
			expect(await conflict.textContent()).toMatch(/LAST_ADMINISTRATOR: \w+ \w+/);
			// Those of any operation are told once.
			const generic = page.locator(`${replace} .response[data-code="default"]`);
			expect(await generic.textContent()).toMatch(/see Conventions/);
			expect(await generic.textContent()).not.toContain('CIRCUIT_OPEN');
			const conventions = page.locator('.conventions');
			expect(await conventions.locator('dl').isVisible()).toBe(false);
			await conventions.locator('summary').click();
			await conventions.locator('dl').getByText('CIRCUIT_OPEN').waitFor();
			expect(await conventions.getByText('x-error-codes').first().isVisible()).toBe(true);
			expect(await seriousIn(new AxeBuilder({ page }).include('.conventions'))).toEqual([]);
		}, 30_000);

		test('opens an operation from the navigation with the keyboard', async () => {
			const problemsBefore = watched.problems.length;
			await filter().fill('register');
			const navigation = page.getByRole('navigation', { name: 'Operations' });
			await navigation.locator('summary', { hasText: 'masterdata' }).press('Enter');
			await navigation.getByRole('link', { name: /List countries/ }).press('Enter');
			const operation = page.locator('#operations-masterdata-listCountries');
			await operation.locator('.execute').waitFor();
			expect(await operation.evaluate((node) => node.contains(node.ownerDocument.activeElement))).toBe(true);
			expect(watched.problems.slice(problemsBefore)).toEqual([]);
		}, 30_000);

		test('fills in no optional parameter, so a list shows its first page as it is', async () => {
			const group = page.getByRole('navigation', { name: 'Operations' }).locator('details', {
				has: page.locator('summary', { hasText: 'masterdata' }),
			});
			if ((await group.getAttribute('open')) === null) await group.locator('summary').click();
			await group.getByRole('link', { name: /List states/ }).click();
			const operation = '#operations-masterdata-listStates';
			await page.locator(`${operation} .execute`).waitFor();
			const inputs = page.locator(`${operation} .parameters input[type=text]`);
			// Swagger UI resolves references after it shows the operation.
			await inputs.nth(1).waitFor();
			for (const input of await inputs.all()) expect(await input.inputValue()).toBe('');
			const sent = page.waitForRequest((request) => request.url().includes('/api/masterdata/states'));
			expect(await execute(page, operation)).toBe('200');
			expect(new URL((await sent).url()).search).toBe('');
		}, 30_000);

		test('sends the example of a creation again and again', async () => {
			const create = '#operations-authentication-register';
			await openOperation(page, create);
			const body = page.locator(`${create} textarea`);
			const values: string[] = [];
			for (let time = 0; time < 3; time += 1) {
				const sent = await body.inputValue();
				values.push(sent);
				const response = page.waitForResponse('**/auth/register');
				await page.click(`${create} .execute`);
				expect((await response).status()).toBe(201);
				await eventually('a new value is filled in', async () => (await body.inputValue()) !== sent);
			}
			expect(new Set(values).size).toBe(3);
			// What the user has written stays.
			const own = (await body.inputValue()).replace(/anna\.huber\.\d+/, 'somebody.else');
			await body.fill(own);
			const response = page.waitForResponse('**/auth/register');
			await page.click(`${create} .execute`);
			expect((await response).status()).toBe(201);
			expect(await body.inputValue()).toBe(own);
		}, 40_000);

		test('signs in and executes a protected call, which fails again after signing out', async () => {
			expect(await signIn(page, { password: 'not this one' })).toMatch(/password/);
			expect(await signIn(page)).toBe('');
			expect(await page.locator('#who').textContent()).toContain(systemAdmin.email);

			await openOperation(page, profile);
			expect(await execute(page, profile)).toBe('200');
			expect(await page.locator(`${profile} .live-responses-table`).textContent()).toContain(
				systemAdmin.email,
			);
			await signOut(page);
			await page.click(`${profile} .btn-clear`);
			expect(await execute(page, profile)).toBe('401');
			expect(await seriousIn(new AxeBuilder({ page }).include(profile))).toEqual([]);
		}, 30_000);

		// Swagger UI leaves optional headers empty, so a PUT overwrote concurrent changes.
		test('replaces a record with the version that was read, and shows it in the curl command', async () => {
			expect(await signIn(page)).toBe('');
			await openOperation(page, profile);
			await page.click(`${profile} .btn-clear`);
			expect(await execute(page, profile)).toBe('200');
			const change = '#operations-authentication-updateProfile';
			await openOperation(page, change);
			const sent = page.waitForRequest((request) => request.method() === 'PUT');
			expect(await execute(page, change)).toBe('200');
			expect(await (await sent).headerValue('if-match')).toMatch(/^"[^"]+"$/);
			expect(await page.locator(`${change} .curl-command`).textContent()).toContain('If-Match');
			await signOut(page);
		}, 30_000);

		// The renewal moved the focus to `Sign out`, and the next key pressed there signed out.
		test('renews the token without taking the focus from what is being typed', async () => {
			await renewSoon(page);
			expect(await signIn(page)).toBe('');
			const who = page.locator('#who');
			await who.evaluate((node) => node.replaceChildren());
			await filter().pressSequentially('age');
			await who.getByText(systemAdmin.email).waitFor();
			await page.keyboard.type(' classes');
			expect(await filter().inputValue()).toBe('age classes');
			expect(await who.isVisible()).toBe(true);
		}, 30_000);
	});

	test('the explorer keeps the device token of a sign-in and sends it with the next one, in another tab too', async () => {
		const { page, close } = await open('/docs');
		const deviceTokenSent = async (tab: Page) => {
			const sent = tab.waitForRequest('**/auth/login');
			expect(await signIn(tab, { email: ` ${systemAdmin.email.toUpperCase()}` })).toBe('');
			return (await sent).headers()['x-device-token'];
		};
		expect(await deviceTokenSent(page)).toBeUndefined();
		// Tabs share the sign-in.
		await page.click('#sign-out');
		await page.locator('#access-note').getByText('Signed out').waitFor();
		const next = await page.context().newPage();
		await next.goto(`${system.gateway.url}/docs`);
		await next.waitForSelector('#sign-in:not([hidden])');
		expect(await deviceTokenSent(next)).toMatch(/^[\w-]{43}$/);
		await close();
	}, 30_000);

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

async function openOperation(page: Page, operation: string): Promise<void> {
	const block = page.locator(operation);
	await block.waitFor();
	if (!/\bis-open\b/.test((await block.getAttribute('class')) ?? ''))
		await block.locator('.opblock-summary-control').click();
}

async function signOut(page: Page): Promise<void> {
	await page.click('#sign-out');
	await page.waitForSelector('#sign-in:not([hidden])');
}

/** Executes the expanded operation. @returns the status shown by the explorer */
async function execute(page: Page, operation: string): Promise<string> {
	await page.click(`${operation} .execute`);
	const status = page.locator(`${operation} .live-responses-table tbody .response-col_status`);
	await status.waitFor();
	return (await status.textContent())?.match(/\d{3}/)?.[0] ?? '';
}

/** Signs in on the form of the explorer. Returns the refusal that it shows, '' if there is none. */
async function signIn(page: Page, other: Partial<typeof systemAdmin> = {}): Promise<string> {
	const { email, password } = { ...systemAdmin, ...other };
	await page.fill('#email', email);
	await page.fill('#password', password);
	await page.click('#sign-in [type=submit]');
	await page.locator('#signed-in:not([hidden]), #access-note[data-error]').waitFor();
	return (await page.locator('#access-note').textContent()) ?? '';
}
