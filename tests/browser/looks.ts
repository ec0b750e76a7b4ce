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

/** The serious and critical violations found by axe, with their elements. */
export async function seriousIn(axe: AxeBuilder): Promise<unknown[]> {
	const { violations } = await axe.options({ resultTypes: ['violations'] }).analyze();
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
