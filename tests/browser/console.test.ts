import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
	describeWithBrowser,
	eventually,
	type MailServer,
	openPage,
	startBrowser,
	startMailServer,
	type WatchedPage,
} from '@paddock/testing';
import { type System, startSystem } from '../system.ts';
import { looks, type Page, seriousIn, setLook, widthBeyondWindow } from './looks.ts';

const password = 'canter over the wet hedge';
const publicUrl = 'https://paddock.example.org';

describeWithBrowser('the pages of accounts in Chromium', () => {
	let system: System;
	let mails: MailServer;
	let browser: Awaited<ReturnType<typeof startBrowser>>;
	beforeAll(async () => {
		mails = await startMailServer();
		const services = {
			EMAIL_VERIFICATION: 'on',
			SMTP_URL: mails.url,
			PUBLIC_URL: publicUrl,
			PASSKEY_RP_ID: 'localhost',
			JOB_POLL_MS: '500',
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
	});

	const open = (path: string, look: keyof typeof looks = 'light') =>
		openPage(browser, system.gateway.url, path, { ...looks[look], locale: 'en-GB' });

	/** The link of the latest mail to the address, whose subject matches. */
	const linkTo = async (address: string, subject: RegExp): Promise<string> => {
		const found = () => mails.to(address).findLast((mail) => subject.test(mail.subject));
		await eventually(`a mail ${subject} to ${address}`, async () => found() !== undefined, 15_000);
		const link = /https:\/\/paddock\.example\.org(\/app\S+)/.exec(found()?.text ?? '')?.[1];
		if (link === undefined) throw new Error(`no link in ${found()?.text}`);
		return link;
	};

	const signIn = async (page: Page, email: string, secret = password) => {
		await page.getByLabel('E-mail address').fill(email);
		await page.getByLabel('Password', { exact: true }).fill(secret);
		await page.getByRole('button', { name: 'Sign in' }).click();
	};

	/** One page of an account, registered and verified by mail. */
	const newAccount = async (email: string): Promise<WatchedPage> => {
		const watched = await open('/app/register');
		const { page } = watched;
		await page.getByLabel('First name').fill('Lena');
		await page.getByLabel('Last name').fill('Koppelbach');
		await page.getByLabel('E-mail address').fill(email);
		await page.getByLabel('Password').fill(password);
		await page.keyboard.press('Enter');
		await page.getByText(`We have sent a message to ${email}`).waitFor();
		await page.goto(system.gateway.url + (await linkTo(email, /confirm your e-mail/)));
		await page.getByRole('button', { name: 'Confirm the address' }).click();
		await page.getByText(`The address ${email} is confirmed.`).waitFor();
		await page.getByRole('link', { name: 'Continue' }).click();
		await signIn(page, email);
		await page.getByRole('heading', { name: 'Profile' }).waitFor();
		return watched;
	};

	test('a person registers, verifies by mail, signs in, stays signed in after a reload, and signs out', async () => {
		const { page, problems, close } = await newAccount('lena@example.org');
		const cookies = await page.context().cookies(`${system.gateway.url}/auth/refresh`);
		const [refresh] = cookies.filter(({ name }) => name === 'paddock.refresh');
		expect(refresh).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/auth/refresh' });
		expect(await page.evaluate('document.cookie')).not.toContain(refresh?.value);
		expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([0, 0]);
		await page.reload();
		await page.getByRole('heading', { name: 'Profile' }).waitFor();
		expect(await page.getByLabel('Last name').inputValue()).toBe('Koppelbach');
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByText('You are signed out.').waitFor();
		expect(await page.context().cookies(`${system.gateway.url}/auth/refresh`)).toEqual([]);
		await page.reload();
		await page.getByRole('button', { name: 'Sign in' }).waitFor();
		expect(problems).toEqual([]);
		await close();
	}, 40_000);

	test('a forgotten password is replaced by mail', async () => {
		const email = 'forgetful@example.org';
		const { page, close } = await newAccount(email);
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('link', { name: 'Forgotten password?' }).click();
		await page.getByLabel('E-mail address').fill(email);
		await page.keyboard.press('Enter');
		await page.getByText(`If there is an account with the address ${email}`).waitFor();
		await page.goto(system.gateway.url + (await linkTo(email, /New password/)));
		expect(page.url()).not.toContain('token');
		await page.getByLabel('New password').fill('passwort');
		await page.keyboard.press('Enter');
		await page.getByText('Please check the marked fields.').waitFor();
		expect(await page.evaluate('document.activeElement.id')).toBe('field-newPassword');
		await page.getByLabel('New password').fill('three bales and a bucket');
		await page.keyboard.press('Enter');
		await page.getByText('Your new password is set.').waitFor();
		await signIn(page, email);
		await page.getByText('E-mail address or password is wrong.').waitFor();
		await signIn(page, email, 'three bales and a bucket');
		await page.getByRole('heading', { name: 'Profile' }).waitFor();
		await close();
	}, 40_000);

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
