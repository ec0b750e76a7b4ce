import { type Deployment, type PageLink, statusLink } from './deployment.ts';
import { escapeHtml, pageFrame } from './page-frame.ts';

export function operationsNavigation(deployment: Deployment): readonly PageLink[] {
	const start = { label: 'Operations', path: '/' };
	return deployment.opsStatusPage ? [start, statusLink] : [start];
}

/** The addresses on OPS_PORT that an operator needs first, by name. */
export function operationsLinks({ opsPrefix, opsStatusPage }: Deployment): Readonly<Record<string, string>> {
	return {
		...(opsStatusPage ? { status: statusLink.path, runbook: '/runbook' } : {}),
		health: `${opsPrefix}/health`,
		history: `${opsPrefix}/health/history`,
		breakers: `${opsPrefix}/breakers`,
		gateways: `${opsPrefix}/gateways`,
		metrics: `${opsPrefix}/prometheus`,
		info: `${opsPrefix}/info`,
		all: opsPrefix,
	};
}

const texts: Readonly<Record<string, string>> = {
	status: 'the state of all services, live, with causes, history and breakers',
	runbook: 'what to do in an incident, by cause, alert and error code',
	health: 'health of all services and their instances; 503 if a critical one is down',
	history: 'the last changes of state, with their causes',
	breakers: 'the circuit breakers of all instances, and the current overrides',
	gateways: 'the other gateways and their views of the breakers',
	metrics: 'metrics for Prometheus',
	info: 'version, commit and Node.js',
	all: 'links to all operations pages',
};

export function operationsPage(deployment: Deployment): string {
	const links = Object.entries(operationsLinks(deployment)).map(
		([name, path]) =>
			`<li><a href="${escapeHtml(path)}"><code>${escapeHtml(path)}</code></a> <span class="muted">${escapeHtml(texts[name] ?? name)}</span></li>`,
	);
	return pageFrame(deployment, {
		title: 'Operations · Paddock',
		path: '/',
		links: operationsNavigation(deployment),
		styles: ['landing.css'],
		scripts: [],
		facts: {},
		main: `<section aria-labelledby="operations">
<p class="eyebrow">Operations port of this gateway</p>
<h1 id="operations">Operations</h1>
<p class="lead">Health, causes and addresses are shown here without signing in, also while nobody can sign in. Changes need an
administrator’s access token. The API is on another port.</p>
<ul class="links">
${links.join('\n')}
</ul>
</section>`,
	});
}
