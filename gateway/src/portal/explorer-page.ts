import { type Deployment, hasSignIn } from './deployment.ts';
import { escapeHtml, pageFrame } from './page-frame.ts';

interface SignIn {
	readonly email: string;
	readonly password: string;
}

/** The API explorer: a sign-in form above Swagger UI, which uses its token, and the operations as a navigation beside it. */
export function explorerPage(deployment: Deployment, demo: SignIn): string {
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
${hasSignIn(deployment) ? signInForm(deployment.demo ? demo : undefined) : ''}
<form id="paste" class="access-form"${hasSignIn(deployment) ? ' hidden' : ''}>
<div class="field grow"><label for="token">Access token</label><input id="token" name="token" type="password" autocomplete="off" spellcheck="false" required></div>
<button type="submit" class="button">Use this token</button>
</form>
<div id="signed-in" class="signed-in" hidden><p id="who"></p><button type="button" id="sign-out" class="button">Sign out</button></div>
<p id="access-note" class="access-note" role="status"></p>
</section>
<div class="explorer-columns">
<nav id="operations" class="operations" aria-label="Operations"></nav>
<div id="explorer"><p class="muted loading">Loading the description of the API …</p></div>
</div>
<noscript><p>The explorer needs JavaScript. The description itself: <a href="/openapi.yaml">/openapi.yaml</a></p></noscript>`,
	});
}

/** Filled in for the demo, whose password is public. */
function signInForm(demo: SignIn | undefined): string {
	const value = (text: string | undefined) => (text === undefined ? '' : ` value="${escapeHtml(text)}"`);
	const hint = demo === undefined ? '' : ' <span class="muted">The demo administrator is filled in.</span>';
	return `<form id="sign-in" class="access-form">
<div class="field grow"><label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="username"${value(demo?.email)} required></div>
<div class="field grow"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password"${value(demo?.password)} required></div>
<div class="field grow"><label for="code">Code, with a second factor</label><input id="code" name="code" autocomplete="one-time-code" spellcheck="false"></div>
<button type="submit" class="button primary">Sign in</button>
<button type="button" id="have-token" class="button quiet">I have a token</button>
<p class="form-hint">Every call below is then sent with your token.${hint}</p>
</form>`;
}
