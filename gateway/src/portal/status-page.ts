import { type Deployment, hasSignIn, navigation } from './deployment.ts';
import { operationsNavigation } from './operations-page.ts';
import { pageFrame, stateMark } from './page-frame.ts';

/** The frame of the status page; its script fills it from the stream of health events. */
export function statusPage(deployment: Deployment): string {
	return pageFrame(deployment, {
		title: 'Status · Paddock',
		path: '/status',
		links: deployment.opsHere ? navigation(deployment) : operationsNavigation(deployment),
		styles: ['status.css', 'override-dialog.css'],
		scripts: ['status.js'],
		facts: { ops: deployment.opsPrefix },
		main: `<h1 class="hidden">Status of the system</h1>
<section class="banner" id="banner" data-state="" aria-label="Overall">
<div class="banner-state">${stateMark('id="overall"')}<p id="headline" role="status">Loading status …</p></div>
<div id="cause" class="incident" hidden></div>
<ul id="incidents" class="incidents" hidden></ul>
<p class="live"><span id="connection" class="connection" data-live="connecting">Connecting</span> <span id="age" class="age">no data yet</span> <span id="clock"></span></p>
</section>
<section id="totals" aria-label="Totals"></section>
<details id="access" class="access">
<summary id="access-title">Sign in</summary>
<p id="access-text">${accessText(deployment)}</p>
${deployment.opsHere && hasSignIn(deployment) ? passwordForm : ''}
<form id="sign-in" class="sign-in"><div class="field"><label for="token">Access token</label><input id="token" type="password" autocomplete="off" spellcheck="false" required></div><button type="submit" class="button">Use this token</button></form>
<div id="signed-in" class="sign-in" hidden><p id="who"></p><button type="button" id="sign-out" class="button">Sign out</button></div>
<p id="access-note" class="access-note" role="status"></p>
</details>
<section aria-labelledby="services"><h2 id="services">Services, discovery, gateway</h2><div id="cards" class="cards"></div></section>
<section aria-labelledby="refusals-title"><h2 id="refusals-title">Top refusals</h2><p class="muted">Error responses of the gateway itself in the last 15 minutes, by code.</p><ol id="refusals" class="refusals" hidden></ol><p id="no-refusals" class="muted">None.</p></section>
<section id="other-gateways" aria-labelledby="gateways-title" hidden><h2 id="gateways-title">Other gateways</h2><p class="muted">Each gateway decides about its breakers from its own requests. Their state does not affect the status above.</p><ul id="gateway-list" class="gateways"></ul></section>
<section aria-labelledby="history-title"><h2 id="history-title">Recent changes</h2><ol id="history" class="history"></ol><p id="no-history" class="muted" hidden>Nothing has changed since the gateway started.</p></section>
<noscript><p>This page needs JavaScript. The same as JSON: <a href="${deployment.opsPrefix}/health">${deployment.opsPrefix}/health</a></p></noscript>`,
	});
}

function accessText({ opsHere }: Deployment): string {
	const shared = opsHere ? ' The API explorer uses the same sign-in.' : '';
	return `Administrators override circuit breakers here. The sign-in ends with the last tab of these pages.${shared}`;
}

const passwordForm = `<form id="administrator" class="sign-in">
<div class="field"><label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="username" required></div>
<div class="field"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required></div>
<div class="field"><label for="code">Code, with a second factor</label><input id="code" name="code" autocomplete="one-time-code" spellcheck="false"></div>
<button type="submit" class="button primary">Sign in</button>
</form>`;
