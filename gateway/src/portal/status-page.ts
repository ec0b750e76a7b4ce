import type { Deployment } from './deployment.ts';
import { type PageLink, pageFrame, stateMark } from './page-frame.ts';

/** The frame of the status page; its script fills it from the stream of health events. */
export function statusPage(deployment: Deployment, links: readonly PageLink[]): string {
	return pageFrame({
		title: 'Status · Paddock',
		path: '/status',
		links,
		version: deployment.version,
		styles: ['status.css'],
		scripts: ['status.js'],
		facts: { ops: deployment.opsPrefix },
		main: `<h1 class="hidden">Status of the system</h1>
<section class="banner" id="banner" data-state="" aria-label="Overall">
<div class="banner-state">${stateMark('id="overall"')}<p id="headline" role="status">Loading status …</p></div>
<p class="live"><span id="connection" class="connection" data-live="connecting">Connecting</span> <span id="age" class="age">no data yet</span></p>
</section>
<form id="sign-in" class="sign-in" hidden>
<p id="sign-in-text">Details are shown to officers and administrators. Paste an access token to see them; it is kept in this tab only.</p>
<div class="field"><label for="token">Access token</label><input id="token" type="password" autocomplete="off" spellcheck="false"><button type="submit" class="button">Show details</button></div>
</form>
<section aria-labelledby="services"><h2 id="services">Services</h2><div id="cards" class="cards"></div></section>
<div class="pair">
<section aria-labelledby="discovery-title" class="panel"><h2 id="discovery-title">Discovery</h2><div id="discovery"></div></section>
<section aria-labelledby="gateway-title" class="panel"><h2 id="gateway-title">Gateway</h2><div id="gateway"></div></section>
</div>
<section aria-labelledby="history-title"><h2 id="history-title">Recent changes</h2><ol id="history" class="history"></ol><p id="no-history" class="muted" hidden>Nothing has changed since the gateway started.</p></section>
<noscript><p>This page needs JavaScript. The same as JSON: <a href="${deployment.opsPrefix}/health">${deployment.opsPrefix}/health</a></p></noscript>`,
	});
}
