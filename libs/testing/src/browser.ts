import { existsSync } from 'node:fs';
import { describe, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';
// It shall talk to the gateway under test and to nobody else.
const args = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** A page and everything that went wrong on it. */
export interface WatchedPage {
	readonly page: Page;
	/** Console errors, violations of the Content-Security-Policy, exceptions, requests to anybody but the gateway. */
	readonly problems: readonly string[];
	close(): Promise<void>;
}

/**
 * A suite that needs Chromium. Without one it is skipped under a name that says so; with CI=true it fails instead, so
 * that a pipeline can't pass by leaving it out.
 */
export function describeWithBrowser(name: string, suite: () => void): void {
	const { CI } = process.env;
	if (existsSync(executablePath)) describe(name, suite);
	else if (CI === 'true') {
		test(name, () => {
			throw new Error(`There is no ${executablePath}, and with CI=true nothing may be skipped.`);
		});
	} else describe.skip(`${name} (skipped: there is no ${executablePath})`, suite);
}

export async function startBrowser(): Promise<Browser> {
	// Only here: it is large, and most tests that use this package need no browser.
	const { chromium } = await import('playwright-core');
	return chromium.launch({ executablePath, args });
}

/** Opens `path` of the gateway in a context of its own. */
export async function openPage(
	browser: Browser,
	origin: string,
	path: string,
	options: BrowserContextOptions = {},
): Promise<WatchedPage> {
	const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
	const page = await context.newPage();
	const problems: string[] = [];
	page.on('console', (message) => {
		if (message.type() === 'error') problems.push(message.text());
	});
	page.on('pageerror', (error) => problems.push(error.message));
	page.on('request', (request) => {
		const { protocol, origin: asked } = new URL(request.url());
		if (protocol !== 'data:' && asked !== origin) problems.push(`asked ${request.url()}`);
	});
	await page.goto(origin + path);
	return { page, problems, close: () => context.close() };
}
