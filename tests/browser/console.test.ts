import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withClient } from '@paddock/database';
import {
	createApiClient,
	describeWithBrowser,
	eventually,
	type MailServer,
	openPage,
	patient,
	startBrowser,
	startMailServer,
	type WatchedPage,
} from '@paddock/testing';
import { generate } from 'otplib';
import { client, type RealProvider, startProvider } from '../../services/auth/test/real-provider.ts';
import { type System, startSystem } from '../system.ts';
import { looks, type Page, seriousIn, setLook, widthBeyondWindow } from './looks.ts';

const password = 'canter over the wet hedge';

describeWithBrowser('the pages of accounts in Chromium', () => {
	let system: System;
	let mails: MailServer;
	let provider: RealProvider;
	const { warn, info } = console;
	let browser: Awaited<ReturnType<typeof startBrowser>>;
	beforeAll(async () => {
		mails = await startMailServer();
		// The provider reports on the console that it is meant for production.
		Object.assign(console, { warn: () => {}, info: () => {} });
		const services = async (port: number) => {
			const publicUrl = `http://localhost:${port}`;
			provider = await startProvider(`${publicUrl}/auth/oidc/callback`);
			return {
				EMAIL_VERIFICATION: 'on',
				SMTP_URL: mails.url,
				PUBLIC_URL: publicUrl,
				PASSKEY_RP_ID: 'localhost',
				JOB_POLL_MS: '500',
				OIDC_ISSUER: provider.issuer,
				OIDC_CLIENT_ID: client.id,
				OIDC_CLIENT_SECRET: client.secret,
				OIDC_NAME: 'Sportbund',
			};
		};
		[system, browser] = await Promise.all([
			startSystem({ contexts: ['auth', 'members', 'masterdata'], services }),
			startBrowser(),
		]);
	}, 60_000);
	afterAll(async () => {
		await browser?.close();
		await system?.stop();
		await mails?.stop();
		await provider?.stop();
		Object.assign(console, { warn, info });
	});

	// Passkeys need a name of a host.
	const origin = () => `http://localhost:${system.gateway.port}`;
	const open = (path: string, look: keyof typeof looks = 'light') =>
		openPage(browser, origin(), path, { ...looks[look], locale: 'en-GB' });

	/** The link of the latest mail to the address, whose subject matches. */
	const linkTo = async (address: string, subject: RegExp): Promise<string> => {
		const found = () => mails.to(address).findLast((mail) => subject.test(mail.subject));
		await eventually(`a mail ${subject} to ${address}`, async () => found() !== undefined, 15_000);
		const link = /http:\/\/localhost:\d+(\/app\S+)/.exec(found()?.text ?? '')?.[1];
		if (link === undefined) throw new Error(`no link in ${found()?.text}`);
		return link;
	};

	const signIn = async (page: Page, email: string, secret = password) => {
		await page.getByLabel('E-mail address').fill(email);
		await page.getByLabel('Password', { exact: true }).fill(secret);
		await page.getByRole('button', { name: 'Sign in' }).click();
	};

	const refreshCookies = (page: Page) => page.context().cookies(`${origin()}/auth/refresh`);

	/** The page after the registration of an account, whose address is to be verified. */
	const registered = async (email: string): Promise<WatchedPage> => {
		const watched = await open('/app/register');
		const { page } = watched;
		await page.getByLabel('First name').fill('Lena');
		await page.getByLabel('Last name').fill('Koppelbach');
		await page.getByLabel('E-mail address').fill(email);
		await page.getByLabel('Password').fill(password);
		await page.keyboard.press('Enter');
		await page.getByText(`We have sent a message to ${email}`).waitFor();
		return watched;
	};

	/** One page of an account, registered and verified by mail. */
	const newAccount = async (email: string): Promise<WatchedPage> => {
		const watched = await registered(email);
		const { page } = watched;
		await page.goto(origin() + (await linkTo(email, /confirm your e-mail/)));
		await page.getByRole('button', { name: 'Confirm the address' }).click();
		await page.getByText(`The address ${email} is confirmed.`).waitFor();
		await page.getByRole('link', { name: 'Continue' }).click();
		await signIn(page, email);
		await page.getByRole('heading', { name: 'Profile' }).waitFor();
		return watched;
	};

	test('a person registers, verifies by mail, signs in, stays signed in after a reload, and signs out', async () => {
		const { page, problems, close } = await newAccount('lena@example.org');
		const [refresh] = (await refreshCookies(page)).filter(({ name }) => name === 'paddock.refresh');
		expect(refresh).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/auth/refresh' });
		expect(await page.evaluate('document.cookie')).not.toContain(refresh?.value);
		expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([0, 0]);
		await page.reload();
		await page.getByRole('heading', { name: 'Profile' }).waitFor();
		expect(await page.getByLabel('Last name').inputValue()).toBe('Koppelbach');
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByText('You are signed out.').waitFor();
		expect(await refreshCookies(page)).toEqual([]);
		await page.reload();
		await page.getByRole('button', { name: 'Sign in' }).waitFor();
		expect(problems).toEqual([]);
		await close();
	}, 40_000);

	test('an address is verified while its account is signed in, which then has its rights', async () => {
		const email = 'vorab@example.org';
		const { page, problems, close } = await registered(email);
		await page.getByRole('link', { name: 'Sign in' }).click();
		await signIn(page, email);
		await page.getByText(`The address ${email} is not confirmed yet.`).waitFor();
		await page.goto(origin() + (await linkTo(email, /confirm your e-mail/)));
		await page.getByRole('button', { name: 'Confirm the address' }).click();
		await page.getByText(`The address ${email} is confirmed.`).waitFor();
		await page.getByRole('link', { name: 'Continue' }).click();
		await page.getByRole('heading', { name: 'My data' }).waitFor();
		expect(await page.getByText('is not confirmed yet').count()).toBe(0);
		expect(problems).toEqual([]);
		await close();
	}, 40_000);

	// The cookie of a session is valid for days, and only the gateway can remove it.
	test('tabs share a session: loads at once keep it, its end shows in each, and a hint without it is harmless', async () => {
		const { page, close } = await newAccount('tabs@example.org');
		const other = await page.context().newPage();
		const bySignIn = (tab: Page) => tab.getByRole('button', { name: 'Sign in' }).waitFor();
		await other.goto(`${origin()}/app/profile`);
		for (let round = 0; round < 3; round += 1) {
			const tabs = [page, other];
			await Promise.all(tabs.map((tab) => tab.reload()));
			for (const tab of tabs) await tab.getByRole('heading', { name: 'Profile' }).waitFor();
		}
		await other.getByRole('button', { name: 'Sign out' }).click();
		await bySignIn(other);
		// Its access token is refused within seconds.
		await eventually('the end of the session', async () => {
			// The links go with the session.
			for (const name of ['Security', 'Profile'])
				await page
					.getByRole('link', { name })
					.click({ timeout: patient(500) })
					.catch(() => undefined);
			return page.getByText('Your session has ended').isVisible();
		});
		await bySignIn(page);

		await signIn(page, 'tabs@example.org');
		await page.getByRole('button', { name: 'Sign out' }).waitFor();
		await page.context().clearCookies({ name: 'paddock.refresh' });
		let refreshes = 0;
		page.on('request', (request) => {
			if (request.url().endsWith('/auth/refresh')) refreshes += 1;
		});
		await page.reload();
		await bySignIn(page);
		await page.reload();
		await bySignIn(page);
		expect([refreshes, await page.evaluate('document.cookie')]).toEqual([1, '']);
		await close();
	}, 60_000);

	test('a sign-out without a connection is reported, and can be tried again', async () => {
		const { page, close } = await newAccount('offline@example.org');
		await page.context().setOffline(true);
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByText('You are still signed in. No connection.').waitFor();
		expect(await seriousIn(new AxeBuilder({ page }))).toEqual([]);
		await page.getByRole('heading', { name: 'Profile' }).waitFor();
		await page.context().setOffline(false);
		await page.getByRole('button', { name: 'Sign out again' }).click();
		await page.getByText('You are signed out.').waitFor();
		expect(await page.getByText('You are still signed in.').count()).toBe(0);
		expect(await refreshCookies(page)).toEqual([]);
		await close();
	}, 40_000);

	test('a forgotten password is replaced by mail, which signs out another account', async () => {
		const [email, other] = ['forgetful@example.org', 'other@example.org'];
		const { page, close } = await newAccount(email);
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('link', { name: 'Forgotten password?' }).click();
		await page.getByLabel('E-mail address').fill(email);
		await page.keyboard.press('Enter');
		await page.getByText(`If there is an account with the address ${email}`).waitFor();
		const link = await linkTo(email, /New password/);
		const registration = { email: other, password, lastName: 'Stallknecht', locale: 'en' };
		await createApiClient(system.gateway.url)('POST', '/auth/register', { body: registration });
		await page.getByRole('link', { name: 'Back to the sign-in' }).click();
		await signIn(page, other);
		await page.getByRole('heading', { name: 'Profile' }).waitFor();
		await page.goto(origin() + link);
		await page.getByText(other).waitFor();
		expect(page.url()).not.toContain('token');
		await page.getByLabel('New password').fill('passwort');
		await page.keyboard.press('Enter');
		await page.getByText('Please check the marked fields.').waitFor();
		expect(await page.evaluate('document.activeElement.id')).toBe('field-newPassword');
		await page.getByLabel('New password').fill('three bales and a bucket');
		await page.keyboard.press('Enter');
		await page.getByText('Your new password is set.').waitFor();
		expect(await refreshCookies(page)).toEqual([]);
		await signIn(page, email);
		await page.getByText('E-mail address or password is wrong.').waitFor();
		await signIn(page, email, 'three bales and a bucket');
		await page.getByRole('heading', { name: 'Profile' }).waitFor();
		await close();
	}, 40_000);

	test('a person changes name, language and address, the latter confirmed at both addresses', async () => {
		const [former, next] = ['vera@example.org', 'vera.new@example.org'];
		const { page, problems, close } = await newAccount(former);
		await page.getByLabel('Last name').fill('Bergmann');
		await page.getByLabel('Language').selectOption('Deutsch');
		await page.getByLabel('Deadlines').uncheck();
		await page.getByRole('button', { name: 'Save' }).click();
		await page.getByRole('heading', { name: 'Meine Daten' }).waitFor();
		expect(await page.evaluate('document.documentElement.lang')).toBe('de');
		await page.reload();
		expect(await page.getByLabel('Nachname').inputValue()).toBe('Bergmann');
		expect(await page.getByLabel('Fristen').isChecked()).toBe(false);
		await page.getByRole('button', { name: 'English' }).click();
		const address = page.getByRole('region', { name: 'E-mail address' });
		await address.getByLabel('New e-mail address').fill(next);
		await address.getByLabel('Current password').fill(password);
		await page.keyboard.press('Enter');
		await address.getByText('Please confirm the change').waitFor();
		await page.goto(origin() + (await linkTo(former, /geändert werden/)));
		await page.getByRole('button', { name: 'Confirm' }).click();
		await page.getByText('Please also open the link').waitFor();
		await page.goto(origin() + (await linkTo(next, /bestätigen/)));
		await page.getByRole('button', { name: 'Confirm' }).click();
		await page.getByText('Your address has changed.').waitFor();
		expect(await refreshCookies(page)).toEqual([]);
		await signIn(page, next);
		await page.getByRole('heading', { name: 'Profile' }).waitFor();
		expect(problems).toEqual([]);
		await close();
	}, 60_000);

	test('an authenticator app, a recovery code and a passkey are second factors; removing one needs a recent proof', async () => {
		const email = 'tina@example.org';
		const { page, close } = await newAccount(email);
		const device = await page.context().newCDPSession(page);
		await device.send('WebAuthn.enable');
		const options = {
			protocol: 'ctap2',
			transport: 'internal',
			hasResidentKey: true,
			hasUserVerification: true,
		};
		await device.send('WebAuthn.addVirtualAuthenticator', {
			options: { ...options, isUserVerified: true, automaticPresenceSimulation: true } as never,
		});
		const signOut = () => page.getByRole('button', { name: 'Sign out' }).click();

		await page.getByRole('link', { name: 'Security' }).click();
		await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
		await page.getByRole('img', { name: 'QR code' }).waitFor();
		const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '');
		await page.getByLabel('Code', { exact: true }).fill(await generate({ secret }));
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
		const codes = await page.locator('.codes code').allTextContents();
		expect(codes).toHaveLength(10);

		await signOut();
		await signIn(page, email);
		await page.getByLabel('Code', { exact: true }).fill('000000');
		await page.keyboard.press('Enter');
		await page.getByText('The code is wrong').waitFor();
		await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
		await page.keyboard.press('Enter');
		await page.getByRole('link', { name: 'Security' }).click();
		await page.getByText('Unused recovery codes: 9').waitFor();

		await page.getByRole('button', { name: 'Add a passkey' }).click();
		await page.getByLabel('Name of the passkey').fill('Laptop');
		await page.keyboard.press('Enter');
		const passkey = page.getByRole('listitem').filter({ hasText: 'Laptop' });
		await passkey.waitFor();
		await signOut();
		await signIn(page, email);
		await page.getByRole('button', { name: 'Use a passkey' }).click();
		await page.getByRole('heading', { name: 'Profile' }).waitFor();

		// The proof of the sign-in is old, as after ten minutes.
		await withClient(system.databaseUrls.get('auth') ?? '', (client) =>
			client.query("update sessions set authenticated_at = authenticated_at - interval '11 minutes'"),
		);
		await page.goto(`${origin()}/app/security`);
		await passkey.getByRole('button', { name: 'Remove' }).click();
		const dialog = page.getByRole('dialog', { name: 'Please confirm that it is you' });
		await dialog.waitFor();
		expect(await seriousIn(new AxeBuilder({ page }))).toEqual([]);
		await page.keyboard.press('Escape');
		await passkey.getByText('This needs a confirmation.').waitFor();
		await passkey.getByRole('button', { name: 'Remove' }).click();
		await dialog.getByRole('button', { name: 'Use a passkey' }).click();
		await passkey.waitFor({ state: 'detached' });
		await close();
	}, 60_000);

	test('an account is linked with the identity provider by its password, signs in with it, and ends the link', async () => {
		const email = 'olga@example.org';
		const { page, close } = await newAccount(email);
		provider.account = { sub: 'olga', email, email_verified: true };
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('link', { name: 'Sign in with Sportbund' }).click();
		await page.getByText('There is an account with this address here already.').waitFor();
		expect(page.url()).toBe(`${origin()}/app/sign-in`);
		await page.getByLabel('Password').fill(password);
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Profile' }).waitFor();
		await page.reload();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('link', { name: 'Sign in with Sportbund' }).click();
		await page.getByRole('heading', { name: 'Profile' }).waitFor();
		await page.getByRole('link', { name: 'Security' }).click();
		const linked = page.getByRole('region', { name: 'Linked accounts' });
		const identity = linked.getByRole('listitem').filter({ hasText: email });
		await identity.getByText(provider.issuer).waitFor();
		await identity.getByText('Last used').waitFor();
		await identity.getByRole('button', { name: 'Remove' }).click();
		await linked.getByText('None is linked. To link one, sign in with Sportbund once.').waitFor();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('link', { name: 'Sign in with Sportbund' }).click();
		await page.getByText('There is an account with this address here already.').waitFor();
		// A browser in which the provider knows nobody yet.
		provider.declines = true;
		const other = await open('/app/sign-in');
		await other.page.getByRole('link', { name: 'Sign in with Sportbund' }).click();
		await other.page.getByText('The other service has refused the sign-in.').waitFor();
		await other.close();
		await close();
	}, 60_000);

	test('sessions are listed, and another one is ended', async () => {
		const email = 'sina@example.org';
		const { page, close } = await newAccount(email);
		await system.signIn(email, password);
		await page.getByRole('link', { name: 'Security' }).click();
		const sessions = page.getByRole('region', { name: 'Signed-in devices' }).getByRole('listitem');
		await sessions.nth(1).waitFor();
		await sessions.filter({ hasNotText: 'this device' }).getByRole('button', { name: 'End' }).click();
		await sessions.nth(1).waitFor({ state: 'detached' });
		// Ends the session of the page as well.
		await sessions.getByRole('button', { name: 'End' }).click();
		await page.getByText('You are signed out.').waitFor();
		expect(await refreshCookies(page)).toEqual([]);
		await close();
	}, 40_000);

	test('a parent claims a child, which the office confirms, and gives a consent', async () => {
		const api = createApiClient(system.gateway.url);
		const token = await system.signIn();
		const made = await api<{ id: string; membershipNumber: string }>('POST', '/api/members', {
			token,
			body: {
				...{ firstName: 'Mia', lastName: 'Weiss', dateOfBirth: '2015-05-02' },
				guardian: { name: 'Rosa Weiss', relationship: 'mother' },
			},
		});
		expect(made.status).toBe(201);
		const { page, problems, close } = await newAccount('rosa@example.org');
		await page.getByRole('link', { name: 'Members' }).click();
		await page.getByLabel('Who is the member?').selectOption('My child under 18');
		await page.getByLabel('Membership number').fill(made.data.membershipNumber);
		await page.getByLabel('Date of birth').fill('2015-05-02');
		await page.getByRole('button', { name: 'Send the request' }).click();
		await page.getByText('my child · awaits confirmation').waitFor();
		const { items } = (
			await api<{ items: { id: string; account: { email: string } }[] }>(
				'GET',
				'/auth/member-links/requests',
				{ token },
			)
		).data;
		const claim = items.find(({ account }) => account.email === 'rosa@example.org');
		expect((await api('POST', `/auth/member-links/${claim?.id}/confirm`, { token })).status).toBe(200);
		// The access token of before is refused within seconds; the page gets one with the right.
		const child = page.getByRole('region', { name: 'My children' }).getByRole('listitem');
		await eventually(
			'the child is shown',
			async () => {
				await page.reload();
				await page.getByRole('heading', { name: 'My children' }).waitFor();
				return (await child.filter({ hasText: 'Mia Weiss' }).count()) === 1;
			},
			20_000,
		);
		await child.getByText('Consents').click();
		await child.getByLabel('Newsletter').check();
		await child.getByRole('button', { name: 'Save' }).click();
		const given = async () => {
			const path = `/api/members/${made.data.id}`;
			return (await api<{ consents: { newsletter: { given: boolean } } }>('GET', path, { token })).data
				.consents.newsletter.given;
		};
		await eventually('the consent is stored', given);
		expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
		await close();
	}, 60_000);

	test('a person downloads their data by mail, requests the erasure and cancels it', async () => {
		const email = 'petra@example.org';
		const { page, close } = await newAccount(email);
		await page.getByRole('link', { name: 'Privacy' }).click();
		await page.getByRole('button', { name: 'Request the data' }).click();
		const link = await linkTo(email, /data/i);
		const erasure = page.getByRole('region', { name: 'Erase account' });
		await erasure.getByRole('textbox').fill('someone@example.org');
		await page.keyboard.press('Enter');
		await erasure.getByText('Does not match').waitFor();
		await erasure.getByRole('textbox').fill(email);
		await page.keyboard.press('Enter');
		await erasure.getByText('The erasure begins on').waitFor();
		await erasure.getByRole('button', { name: 'Cancel the erasure' }).click();
		await erasure.getByRole('button', { name: 'Request the erasure' }).waitFor();
		await page.goto(origin() + link);
		const downloading = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Download' }).click();
		const text = await readFile(await (await downloading).path(), 'utf8');
		expect(JSON.parse(text).contexts.map(({ context }: { context: string }) => context)).toContain('auth');
		expect(text).toContain(email);
		await close();
	}, 60_000);

	describe('the pages of an account', () => {
		let watched: WatchedPage;
		beforeAll(async () => {
			watched = await newAccount('looks@example.org');
		}, 60_000);
		afterAll(() => watched?.close());

		test.each([['Profile'], ['Security'], ['Members'], ['Privacy']])(
			'%s: no serious axe violation and no overflow, light, dark and on a phone; the focus is on its heading',
			async (name) => {
				const { page } = watched;
				await page.getByRole('link', { name, exact: true }).click();
				await page.getByRole('heading', { level: 1, name }).waitFor();
				await eventually('loaded', async () => (await page.getByText('Loading').count()) === 0);
				expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
				for (const look of ['light', 'dark', 'phone', 'narrow'] as const) {
					await setLook(page, look);
					expect([look, await seriousIn(new AxeBuilder({ page }))]).toEqual([look, []]);
					expect([look, await widthBeyondWindow(page)]).toEqual([look, 0]);
					const scrolled = await page.evaluate(
						'(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("nav"))',
					);
					expect([look, scrolled]).toEqual([look, 0]);
				}
			},
			30_000,
		);
	});

	describe.each(['sign-in', 'register', 'forgot-password', 'reset-password'])('/app/%s', (name) => {
		let watched: WatchedPage;
		beforeAll(async () => {
			watched = await open(`/app/${name}`);
			await watched.page.waitForSelector('h1');
		}, 30_000);
		afterAll(() => watched?.close());

		test.each(['light', 'dark', 'phone'] as const)(
			'%s: no serious axe violation, no problem, no overflow',
			async (look) => {
				const { page, problems } = watched;
				await setLook(page, look);
				expect(await seriousIn(new AxeBuilder({ page }))).toEqual([]);
				expect(await widthBeyondWindow(page)).toBeLessThanOrEqual(0);
				expect(problems).toEqual([]);
			},
		);
	});
});
