import type { Context } from '../contexts/context.ts';
import { contextOpenapiPath, type Deployment, hasSignIn } from './deployment.ts';
import { escapeHtml, pageFrame, stateMark } from './page-frame.ts';

/** The landing page. `origin` is the address of the request, so that the commands can be copied. */
export function landingPage(deployment: Deployment, origin: string): string {
	return pageFrame(deployment, {
		title: 'Paddock',
		path: '/',
		styles: ['landing.css'],
		scripts: ['landing.js'],
		facts: deployment.opsHere ? { health: `${deployment.opsPrefix}/health` } : {},
		main: [
			hero(deployment),
			contexts(deployment),
			signIn(deployment, origin),
			conventions(),
			programs(deployment),
		].join('\n'),
	});
}

function hero(deployment: Deployment): string {
	const count = deployment.contexts.length;
	const overall = stateMark('id="overall"');
	const console = deployment.console ? `<a class="button primary" href="/app">My account</a>` : '';
	const status = deployment.statusPage ? `<a class="button" href="/status">System status</a>` : '';
	return `<section class="hero">
<div>
<p class="eyebrow">Registration system of the equestrian federation</p>
<h1>One address, one sign-in, ${count === 1 ? 'one service' : `${count} services`}</h1>
<p class="lead">Paddock is the gateway in front of the registration system. It checks every token, finds a healthy instance
for every call, and responds in one form, whatever happens behind it.</p>
${deployment.opsHere ? `<p class="overall">${overall} <span id="overall-text" class="muted">Loading status …</span></p>` : ''}
<p class="actions">${console}<a class="button${deployment.console ? '' : ' primary'}" href="/docs">Open the API explorer</a>${status}<a class="button" href="/postman/collection.json" download="paddock.postman_collection.json">Postman collection</a></p>
</div>
${jump}
</section>`;
}

function contexts(deployment: Deployment): string {
	return `<section aria-labelledby="contexts">
<h2 id="contexts">Services of this deployment</h2>
<ul class="tiles">
${deployment.contexts.map((context) => contextTile(context, deployment.opsHere)).join('\n')}
</ul>
</section>`;
}

function contextTile({ name, summary, prefix, critical }: Context, live: boolean): string {
	const state = live ? stateMark(`data-context="${escapeHtml(name)}"`) : '';
	return `<li class="tile"><div class="tile-head"><h3>${escapeHtml(name)}</h3>${state}</div>
<p>${escapeHtml(summary)}</p>
<p class="tile-foot"><code>${escapeHtml(prefix)}</code>${critical ? '' : '<span class="muted">optional</span>'}<a href="${escapeHtml(contextOpenapiPath(name))}" aria-label="OpenAPI of ${escapeHtml(name)}">OpenAPI</a></p></li>`;
}

function signIn(deployment: Deployment, origin: string): string {
	if (!hasSignIn(deployment)) {
		return `<section aria-labelledby="sign-in"><h2 id="sign-in">Signing in</h2>
<p>Accounts are not part of this deployment. Send an access token that you have as <code>Authorization: Bearer …</code>.</p></section>`;
	}
	const json = `-H 'Content-Type: application/json'`;
	const account = `"email": "lena@example.org", "password": "ein ruhiger Apfelschimmel"`;
	const steps = [
		[
			'Create an account',
			`curl -s ${origin}/auth/register ${json} \\\n  -d '{ ${account},\n        "firstName": "Lena", "lastName": "Koppelbach" }'`,
		],
		[
			'Sign in and keep the token',
			`TOKEN=$(curl -s ${origin}/auth/login ${json} \\\n  -d '{ ${account} }' |\n  sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`,
		],
		['Send it with every call', `curl -s ${origin}/auth/profile -H "Authorization: Bearer $TOKEN"`],
	] as const;
	return `<section aria-labelledby="sign-in">
<h2 id="sign-in">Sign in, in three steps</h2>
<ol class="steps">
${steps.map(([title, command], index) => step(title, command, index + 1)).join('\n')}
</ol>
<p class="muted">An access token expires after <code>data.expiresIn</code> seconds; <code>POST /auth/refresh</code> exchanges the refresh token for new ones. The
<a href="/docs">explorer</a> and the <a href="#client">client library</a> do all of this for you.</p>
</section>`;
}

function step(title: string, command: string, number: number): string {
	return `<li><h3>${escapeHtml(title)}</h3>
<div class="command"><pre tabindex="0" role="region" aria-label="Command of step ${number}"><code id="command-${number}">${escapeHtml(command)}</code></pre>
<button type="button" class="copy" data-copy="command-${number}" aria-label="Copy the command of step ${number}">Copy</button></div></li>`;
}

function conventions(): string {
	return `<section aria-labelledby="conventions">
<h2 id="conventions">Good to know</h2>
<dl class="facts">
<div><dt>One envelope</dt><dd>Every JSON response is <code>{ success, data, message, timestamp }</code>, failures too; theirs has <code>data.code</code> for programs.</dd></div>
<div><dt>Pages</dt><dd>Lists take <code>page</code> and <code>size</code> (or <code>limit</code> and <code>offset</code>) and say how many there are in <code>data.pagination</code>. Its <code>nextCursor</code>, sent as <code>cursor</code>, reads the next page of a list of any length.</dd></div>
<div><dt>No lost changes</dt><dd>Records carry an <code>ETag</code>. Send it as <code>If-Match</code>; if the record has changed since, the response is 412.</dd></div>
<div><dt>Rate limits</dt><dd><code>RateLimit-Remaining</code> is the number of requests left; after a 429 or 503 wait for <code>Retry-After</code> seconds.</dd></div>
</dl>
</section>`;
}

function programs(deployment: Deployment): string {
	const { opsPrefix } = deployment;
	const links: (readonly [string, string])[] = [
		['/openapi.yaml', 'all operations in OpenAPI 3.0.3'],
		['/postman/collection.json', 'all operations as a runnable Postman collection'],
		['/postman/environment.json', 'the variables of the collection, for this address'],
	];
	if (hasSignIn(deployment))
		links.push(['/.well-known/jwks.json', 'the public keys that verify access tokens']);
	if (deployment.opsHere) {
		links.push([`${opsPrefix}/health`, 'health of all services; 503 if a critical one is down']);
		links.push([`${opsPrefix}/prometheus`, 'metrics']);
	}
	return `<section aria-labelledby="programs">
<h2 id="programs">For programs</h2>
<ul class="links">
${links.map(([path, text]) => `<li><a href="${escapeHtml(path)}"><code>${escapeHtml(path)}</code></a> <span class="muted">${escapeHtml(text)}</span></li>`).join('\n')}
</ul>
<p class="muted" id="client">Applications in TypeScript or JavaScript can use <code>@paddock/client</code>, the client library in the project’s folder
<code>clients/typescript</code>: it refreshes tokens, retries safely and types every call.</p>
<p class="muted">Clients that do not request HTML receive this page as JSON.</p>
</section>`;
}

// An oxer: two standards and striped poles. Decoration only.
const jump = `<svg class="jump" viewBox="0 0 320 240" aria-hidden="true">
<path class="ground" d="M4 222h312"/>
<path class="standard" d="M52 222V60M268 222V60M34 222h36M250 222h36M84 206V84M236 206V84"/>
${[84, 116, 148, 180].map((y, index) => `<g class="pole"><path d="M58 ${y}h204"/><path class="stripe" stroke-dasharray="34 34" stroke-dashoffset="${index % 2 === 0 ? 0 : 34}" d="M58 ${y}h204"/></g>`).join('\n')}
</svg>`;
