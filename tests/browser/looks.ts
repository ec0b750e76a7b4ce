import type { AxeBuilder } from '@axe-core/playwright';
import type { openPage } from '@paddock/testing';

export type Page = Awaited<ReturnType<typeof openPage>>['page'];

/** Windows in which pages are checked. */
export const looks = {
	light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
	dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
	phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
	narrow: { colorScheme: 'light', viewport: { width: 320, height: 640 } },
} as const;

/** Changes the window of an open page. */
export async function setLook(page: Page, look: keyof typeof looks): Promise<void> {
	const { colorScheme, viewport } = looks[look];
	await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
	await page.setViewportSize(viewport);
}

/** The serious and critical violations found by axe, with their elements. */
export async function seriousIn(axe: AxeBuilder): Promise<unknown[]> {
	// Otherwise each check opens a page of its own to sum up, for frames of other origins. The pages have none.
	const { violations } = await axe
		.setLegacyMode()
		.options({ resultTypes: ['violations'] })
		.analyze();
	const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
	return serious.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]);
}

/** By how many pixels the page is wider than its window. */
export function widthBeyondWindow(page: Page): Promise<number> {
	return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}

/** Makes the page renew its access token every second. */
export async function renewSoon(page: Page): Promise<void> {
	await page.route(/\/auth\/(?:login|refresh)$/, async (route) => {
		const response = await route.fetch();
		const { data, ...envelope } = await response.json();
		await route.fulfill({ response, json: { ...envelope, data: { ...data, expiresIn: 31 } } });
	});
}
