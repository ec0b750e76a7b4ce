import { type Deployment, hasSignIn } from './deployment.ts';
import { pageFrame } from './page-frame.ts';

/** The API explorer: a sign-in form above Swagger UI, which uses its token. */
export function explorerPage(deployment: Deployment): string {
	return pageFrame(deployment, {
		title: 'API explorer · Paddock',
		path: '/docs',
		styles: ['swagger-ui.css', 'explorer.css'],
		classicScripts: ['swagger-ui-bundle.js'],
		scripts: ['explorer.js'],
		fetched: ['openapi.json'],
		facts: {},
		mainElement: 'div',
		main: `<h1 class="hidden">API explorer</h1>
<section class="access" aria-label="Access">
${hasSignIn(deployment) ? signInForm(deployment) : ''}
<form id="paste" class="access-form"${hasSignIn(deployment) ? ' hidden' : ''}>
<div class="field grow"><label for="token">Access token</label><input id="token" name="token" type="password" autocomplete="off" spellcheck="false" required></div>
<button type="submit" class="button">Use this token</button>
</form>
<div id="signed-in" class="signed-in" hidden><p id="who"></p><button type="button" id="sign-out" class="button">Sign out</button></div>
<p id="access-note" class="access-note" role="status"></p>
</section>
<div id="explorer"><p class="muted loading">Loading the description of the API …</p></div>
<noscript><p>The explorer needs JavaScript. The description itself: <a href="/openapi.yaml">/openapi.yaml</a></p></noscript>`,
	});
}

function signInForm(deployment: Deployment): string {
	const hint = deployment.production
		? ''
		: ' With the demo data, <code>admin@example.org</code> and the password that the start prints.';
	return `<form id="sign-in" class="access-form">
<div class="field grow"><label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="username" required></div>
<div class="field grow"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required></div>
<button type="submit" class="button primary">Sign in</button>
<button type="button" id="have-token" class="button quiet">I have a token</button>
<p class="form-hint muted">Signing in here adds your token to every call below.${hint}</p>
</form>`;
}
