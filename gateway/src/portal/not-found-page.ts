import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { type Deployment, hasSignIn, navigation } from './deployment.ts';
import { escapeHtml, pageFrame } from './page-frame.ts';

/** Responds to a browser that opens an unknown page. Programs, and all paths of the API, receive the JSON failure. */
export function notFoundPage(deployment: Deployment, onRefused: (code: string) => void): RequestHandler {
	const html = pageOf(deployment);
	return function notFoundPage(req: Request, res: Response, next: NextFunction): void {
		const mayBePage = (req.method === 'GET' || req.method === 'HEAD') && !isApi(req.path, deployment);
		if (mayBePage) res.vary('Accept');
		if (!mayBePage || req.accepts(['json', 'html']) !== 'html') {
			next();
			return;
		}
		onRefused('ROUTE_NOT_FOUND');
		res.setHeader('Cache-Control', 'no-store');
		res.status(404).type('html').send(html);
	};
}

function isApi(path: string, { opsPrefix }: Deployment): boolean {
	return ['/api', '/auth', '/.well-known', opsPrefix].some(
		(prefix) => path === prefix || path.startsWith(`${prefix}/`),
	);
}

function pageOf(deployment: Deployment): string {
	return pageFrame(deployment, {
		title: 'Page not found · Paddock',
		path: '',
		styles: ['landing.css'],
		scripts: [],
		facts: {},
		main: `<section aria-labelledby="not-found">
<p class="eyebrow">404</p>
<h1 id="not-found">Page not found</h1>
<p class="lead">This gateway has no page at this address. Check the address, or continue with one of these pages.</p>
<p class="lead">Paths of the API begin with <code>/api</code>${hasSignIn(deployment) ? ' or <code>/auth</code>' : ''}. Clients that do not request HTML receive this failure as JSON, with <code>data.code</code> <code>ROUTE_NOT_FOUND</code>.</p>
<p class="actions">${navigation(deployment)
			.map(
				({ label, path }, index) =>
					`<a class="button${index === 0 ? ' primary' : ''}" href="${escapeHtml(path)}">${escapeHtml(label)}</a>`,
			)
			.join('')}</p>
</section>`,
	});
}
