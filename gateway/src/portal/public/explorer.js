import { createAccess } from './access.js';
import { accessibleParts, keepAccessible } from './accessible-explorer.js';
import { explorerDocument, freshAfterSending } from './explorer-document.js';
import { addPrecondition, keepVersion } from './known-versions.js';
import { openTags, wideFilter } from './operation-filter.js';
import { showOperations } from './operation-navigation.js';

// The name of the security scheme in openapi.yaml.
const scheme = 'bearer';
const part = (id) => document.getElementById(id);
const access = createAccess(showAccess);
const dark = matchMedia('(prefers-color-scheme: dark)');
let explorer;

// Swagger UI takes every fragment for the name of an operation, and the focus stays where it was.
document.querySelector('.skip').addEventListener('click', (event) => {
	event.preventDefault();
	part('main').focus();
});
followColours();
dark.addEventListener('change', followColours);
start().catch((error) => {
	reportError(error);
	part('explorer').textContent = 'The description of the API could not be loaded. Reload the page.';
});
keepAccessible(part('explorer'));

/** Creates Swagger UI once the document is loaded; otherwise it would render twice. */
async function start() {
	const response = await fetch('/assets/openapi.json');
	if (!response.ok) throw new Error(`openapi.json: ${response.status}`);
	const contract = await response.json();
	showOperations(part('operations'), contract, openOperation);
	explorer = window.SwaggerUIBundle({
		spec: contract,
		domNode: part('explorer'),
		deepLinking: true,
		docExpansion: 'none',
		filter: true,
		tryItOutEnabled: true,
		displayRequestDuration: true,
		defaultModelsExpandDepth: 0,
		// The curl command shows the If-Match that was added.
		showMutatedRequest: true,
		requestInterceptor: addPrecondition,
		responseInterceptor: keepVersion,
		plugins: [accessibleParts, explorerDocument, freshAfterSending, wideFilter, openTags, resolvedAfterPaint],
		// Otherwise the document goes to a validator on the internet.
		validatorUrl: null,
		syntaxHighlight: { theme: dark.matches ? 'obsidian' : 'idea' },
		onComplete: () => {
			authorize(access.token());
		},
	});
}

/** Opens an operation, and brings it and the focus there. */
function openOperation(tag, operationId) {
	const { layoutActions } = explorer;
	layoutActions.updateFilter('');
	layoutActions.show(['operations-tag', tag], true);
	layoutActions.show(['operations', tag, operationId], true);
	const id = `operations-${tag}-${operationId}`;
	const reveal = () => {
		const operation = part(id);
		if (operation === null) return requestAnimationFrame(reveal);
		operation.scrollIntoView();
		operation.querySelector('button').focus({ preventScroll: true });
	};
	reveal();
}

/** Plugin for Swagger UI, which otherwise resolves references before the browser can paint the operations. */
function resolvedAfterPaint() {
	const requestResolvedSubtree = (request) => (path) => {
		requestAnimationFrame(() => setTimeout(request, 0, path));
	};
	return { statePlugins: { spec: { wrapActions: { requestResolvedSubtree } } } };
}

/** Swagger UI has dark colours of its own, by a class. */
function followColours() {
	document.documentElement.classList.toggle('dark-mode', dark.matches);
}

let authorized = false;
function authorize(token) {
	if (explorer === undefined) return;
	if (token !== undefined) explorer.preauthorizeApiKey(scheme, token);
	// Swagger UI throws on a sign-out without a session.
	else if (authorized) explorer.authActions.logout([scheme]);
	authorized = token !== undefined;
}

const first = part('sign-in') ?? part('paste');

/** Leaves the focus where it is: a token is renewed while its owner types. */
function showAccess(session, message = '') {
	authorize(session?.token);
	part('signed-in').hidden = session === undefined;
	part('who').textContent = session?.who ?? '';
	for (const id of ['sign-in', 'paste']) {
		if (part(id) !== null) part(id).hidden = session !== undefined || part(id) !== first;
	}
	note(message);
}

function note(message, isError = false) {
	part('access-note').textContent = message;
	part('access-note').toggleAttribute('data-error', isError);
}

part('sign-in')?.addEventListener('submit', async (event) => {
	event.preventDefault();
	const form = event.currentTarget;
	const button = form.querySelector('[type=submit]');
	button.disabled = true;
	note('Signing in …');
	try {
		const { email, password, code } = form.elements;
		await access.signIn(email.value, password.value, code.value);
		form.elements.password.value = '';
		part('sign-out').focus();
	} catch (error) {
		note(error.message, true);
		if (error.code === 'SECOND_FACTOR_REQUIRED') form.elements.code.focus();
	}
	// A code is accepted once.
	form.elements.code.value = '';
	button.disabled = false;
});

part('have-token')?.addEventListener('click', () => {
	part('sign-in').hidden = true;
	part('paste').hidden = false;
	part('token').focus();
});

part('paste').addEventListener('submit', (event) => {
	event.preventDefault();
	const token = part('token')
		.value.trim()
		.replace(/^Bearer\s+/i, '');
	part('token').value = '';
	if (token === '') return;
	access.accept(token);
	part('sign-out').focus();
});

part('sign-out').addEventListener('click', async () => {
	const ended = access.signOut();
	first.querySelector('input').focus();
	try {
		await ended;
	} catch (error) {
		note(`Signed out in this browser only: ${error.message}`, true);
	}
});
