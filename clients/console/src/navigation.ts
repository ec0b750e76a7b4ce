import { signal } from '@preact/signals';

/** The path below /app, without a slash at its start; empty for /app itself. */
export const page = signal(pageOf(location.pathname));

/** The token of a link in a mail. It is behind `#`, which no server receives; it is read once and leaves the address. */
export const mailToken = signal(takeToken());

function pageOf(path: string): string {
	return path.replace(/^\/app\/?/, '').replace(/\/$/, '');
}

function takeToken(): string {
	const token = /^#(?:token=)?([\w-]{20,})$/.exec(location.hash)?.[1] ?? '';
	if (token !== '') history.replaceState(null, '', location.pathname);
	return token;
}

/** Shows another page. The focus moves to its heading, so that screen readers begin there. */
export function go(to: string, { replace = false } = {}): void {
	history[replace ? 'replaceState' : 'pushState'](null, '', to === '' ? '/app' : `/app/${to}`);
	show();
}

function show(): void {
	page.value = pageOf(location.pathname);
	scrollTo(0, 0);
	requestAnimationFrame(() => document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true }));
}

/** Follows links between the pages without loading them again. */
export function followLinks(): void {
	addEventListener('popstate', show);
	addEventListener('hashchange', () => {
		const token = takeToken();
		if (token !== '') mailToken.value = token;
	});
	document.addEventListener('click', (event) => {
		const link = event.target instanceof Element ? event.target.closest('a') : null;
		const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
		if (link === null || !isPlain || link.target !== '' || link.origin !== location.origin) return;
		if (!/^\/app(?:\/|$)/.test(link.pathname) || link.hash !== '') return;
		event.preventDefault();
		go(pageOf(link.pathname));
	});
}
