import { type Deployment, navigation, type PageLink } from './deployment.ts';

interface PageContent {
	readonly title: string;
	readonly path: string;
	/** The navigation at the top; that of the deployment by default. */
	readonly links?: readonly PageLink[];
	/** Names of files below /assets. */
	readonly styles: readonly string[];
	/** Scripts that are no modules; they run before `scripts`. */
	readonly classicScripts?: readonly string[];
	readonly scripts: readonly string[];
	/** Files that the scripts fetch, requested along with them. */
	readonly fetched?: readonly string[];
	/** `data-…` attributes of the body, from which scripts read the deployment. */
	readonly facts: Readonly<Record<string, string>>;
	readonly main: string;
	/** Element of the content; `div` if the content has its own `main`. */
	readonly mainElement?: 'main' | 'div';
}

/** The frame of all pages, without inline script or style (Content-Security-Policy). */
export function pageFrame(deployment: Deployment, page: PageContent): string {
	const { links = navigation(deployment), mainElement = 'main', classicScripts = [], fetched = [] } = page;
	const styles = ['portal.css', ...page.styles].map(
		(name) => `<link rel="stylesheet" href="/assets/${name}">`,
	);
	const scripts = [
		...classicScripts.map((name) => `<script defer src="/assets/${name}"></script>`),
		...page.scripts.map((name) => `<script type="module" src="/assets/${name}"></script>`),
	];
	const preloads = fetched.map(
		(name) => `<link rel="preload" as="fetch" crossorigin href="/assets/${name}">`,
	);
	const facts = Object.entries(page.facts).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
	return `<!doctype html>
<html lang="en">
<head>
${pageHead(page.title)}
${[...styles, ...scripts, ...preloads].join('\n')}
</head>
<body${facts.join('')}>
<a class="skip" href="#main">Skip to the content</a>
${symbols}
<header class="top">
<div class="wide top-row">
<a class="brand" href="${escapeHtml(links[0]?.path ?? '/')}"><svg class="mark" aria-hidden="true"><use href="#mark"/></svg>Paddock</a>
<nav aria-label="Pages"><ul>${links.map((link) => navigationEntry(link, page.path)).join('')}</ul></nav>
</div>
</header>
<${mainElement} id="main" class="wide content" tabindex="-1">
${page.main}
</${mainElement}>
<footer class="wide"><p>Paddock ${escapeHtml(deployment.version)} · the gateway of the registration system</p></footer>
</body>
</html>
`;
}

export function pageHead(title: string): string {
	return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f4ef">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#111613">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">`;
}

function navigationEntry({ label, path }: PageLink, current: string): string {
	const here = path === current ? ' aria-current="page"' : '';
	return `<li><a href="${escapeHtml(path)}"${here}>${escapeHtml(label)}</a></li>`;
}

/** A health word with its shape; scripts change it through `data-state`. */
export function stateMark(attributes: string): string {
	return `<span class="state" data-state="" ${attributes}><svg aria-hidden="true"><use href="#state-pending"/></svg><span class="word">…</span></span>`;
}

const entities: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

// Tick, triangle, cross and question mark differ in outline, not only in colour.
const symbols = `<svg class="symbols" aria-hidden="true">
<symbol id="mark" viewBox="0 0 24 24"><path fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" d="M4 4v17M12 4v17M20 4v17M2 9h20M2 15h20"/></symbol>
<symbol id="state-UP" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7.5" fill="currentColor"/><path fill="none" stroke="var(--mark-ink)" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="m4.6 8.3 2.3 2.3 4.5-4.9"/></symbol>
<symbol id="state-DEGRADED" viewBox="0 0 16 16"><path fill="currentColor" stroke="currentColor" stroke-width="1.4" stroke-linejoin="round" d="M8 1.3 15.2 14.4H.8Z"/><path stroke="var(--mark-ink)" stroke-width="1.8" stroke-linecap="round" d="M8 6v3.6M8 12.1v.1"/></symbol>
<symbol id="state-DOWN" viewBox="0 0 16 16"><path fill="currentColor" d="M5 .5h6L15.5 5v6L11 15.5H5L.5 11V5Z"/><path stroke="var(--mark-ink)" stroke-width="2" stroke-linecap="round" d="m5.3 5.3 5.4 5.4m0-5.4-5.4 5.4"/></symbol>
<symbol id="state-UNKNOWN" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.7" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="3 2"/><path fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" d="M6.2 6.4a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.8.6-.8 1.2M8 11.6v.1"/></symbol>
<symbol id="state-pending" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.7" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="1 3"/></symbol>
</svg>`;
