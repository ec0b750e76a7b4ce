import { existsSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describeWithPrograms } from './describe-with-programs.ts';
import { countProcessorTime } from './jest/processor-time.ts';
import { patient } from './patient.ts';
import { descendantsOf } from './process-tree.ts';

/** The shell has no window and no browser around the page, which halve the processor time of a test. */
const executables = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
const executablePath = executables.find((path) => existsSync(path)) ?? executables[0];
// Prevents connections to servers other than the gateway under test.
const args = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** A page that records its problems. */
export interface WatchedPage {
	readonly page: Page;
	/** Console errors, violations of the Content-Security-Policy, exceptions, requests to other origins. */
	readonly problems: readonly string[];
	close(): Promise<void>;
}

/** A suite that needs Chromium. */
export function describeWithBrowser(name: string, suite: () => void): void {
	describeWithPrograms([executablePath], name, suite);
}

export async function startBrowser(): Promise<Browser> {
	// Imported lazily: the package is large and most tests need no browser.
	const { chromium } = await import('playwright-core');
	const before = new Set(descendantsOf(process.pid));
	const browser = await chromium.launch({ executablePath, args });
	const program = descendantsOf(process.pid).find((pid) => !before.has(pid)) ?? 0;
	const close = browser.close.bind(browser);
	// Chromium waits for none of its processes.
	browser.close = async () => {
		countProcessorTime(descendantsOf(program));
		await close();
	};
	return browser;
}

/** Opens `path` of the gateway in a new browser context. */
export async function openPage(
	browser: Browser,
	origin: string,
	path: string,
	options: BrowserContextOptions = {},
): Promise<WatchedPage> {
	const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
	// Shorter than a test's limit, so that a failure names the awaited condition.
	context.setDefaultTimeout(patient(15_000));
	const page = await context.newPage();
	const problems: string[] = [];
	page.on('console', (message) => {
		if (message.type() === 'error') problems.push(message.text());
	});
	page.on('pageerror', (error) => problems.push(error.message));
	page.on('request', (request) => {
		const { protocol, origin: requested } = new URL(request.url());
		if (protocol !== 'data:' && requested !== origin) problems.push(`requested ${request.url()}`);
	});
	await page.goto(origin + path);
	const close = async () => {
		// A handler of a test may still wait for its response, which ends with the context.
		for (const open of context.pages()) await open.unrouteAll({ behavior: 'ignoreErrors' });
		await context.close();
	};
	return { page, problems, close };
}
