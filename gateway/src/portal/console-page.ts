import type { Deployment } from './deployment.ts';
import { escapeHtml, pageHead } from './page-frame.ts';

export const consolePages: readonly string[] = [
	'sign-in',
	'register',
	'verify',
	'forgot-password',
	'reset-password',
	'change-email',
	'link-identity',
	'profile',
	'security',
	'members',
	'privacy',
	'privacy/export',
];

/** Stricter than the gateway's policy: Preact creates elements, and no text becomes HTML or a script. */
export const consolePolicy =
	"default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; img-src 'self' data:; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** The frame of the console. @param modules names of the modules that it needs, the first one runs */
export function consolePage({ version }: Deployment, modules: readonly string[]): string {
	const [first = '', ...others] = modules;
	return `<!doctype html>
<html lang="de">
<head>
${pageHead('Paddock')}
<meta name="referrer" content="no-referrer">
<link rel="stylesheet" href="/assets/portal.css">
<link rel="stylesheet" href="/assets/console.css">
<script type="module" src="/assets/${first}"></script>
${others.map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join('\n')}
</head>
<body data-version="${escapeHtml(version)}">
<noscript><p class="wide">Diese Seiten brauchen JavaScript. These pages need JavaScript.</p></noscript>
</body>
</html>
`;
}
