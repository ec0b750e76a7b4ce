import { createAccess } from './access.js';

const part = (id) => document.getElementById(id);

/**
 * The sign-in of the status page: by password where this port has it, or with an access token. `onChange` receives the
 * token, or undefined, and whether its owner is an administrator.
 */
export function createAdministration(onChange) {
	const byPassword = part('administrator');
	const access = createAccess(show);

	function show(session, message = '') {
		part('signed-in').hidden = session === undefined;
		part('sign-in').hidden = session !== undefined;
		if (byPassword !== null) byPassword.hidden = session !== undefined;
		part('who').textContent = session?.who ?? '';
		part('access-title').textContent = session === undefined ? 'Sign in' : 'Signed in';
		note(message);
		onChange({ token: session?.token, isAdministrator: session?.roles.includes('ADMIN') ?? false });
	}

	function note(message, isError = false) {
		part('access-note').textContent = message;
		part('access-note').toggleAttribute('data-error', isError);
	}

	byPassword?.addEventListener('submit', async (event) => {
		event.preventDefault();
		const { email, password, code } = byPassword.elements;
		const button = byPassword.querySelector('[type=submit]');
		button.disabled = true;
		note('Signing in …');
		try {
			await access.signIn(email.value, password.value, code.value);
			password.value = '';
			part('sign-out').focus();
		} catch (error) {
			note(error.message, true);
			if (error.code === 'SECOND_FACTOR_REQUIRED') code.focus();
		}
		// A code is accepted once.
		code.value = '';
		button.disabled = false;
	});

	part('sign-in').addEventListener('submit', (event) => {
		event.preventDefault();
		const token = part('token')
			.value.trim()
			.replace(/^Bearer\s+/i, '');
		part('token').value = '';
		if (token !== '') access.accept(token);
	});

	part('sign-out').addEventListener('click', async () => {
		try {
			await access.signOut();
		} catch (error) {
			note(`Signed out here; the session could not be ended: ${error.message}`, true);
		}
		part('access-title').focus();
	});

	let requested = { hidden: false, hasToken: false };
	return {
		/** Whether a second factor can be confirmed: on the port of the operations pages there is no auth. */
		canStepUp: byPassword !== null,
		stepUp: access.stepUp,
		/** Opens the forms and says that details need them, or that the token doesn't show any. */
		requestDetails: (hidden, hasToken) => {
			if (hidden === requested.hidden && hasToken === requested.hasToken) return;
			requested = { hidden, hasToken };
			if (!hidden) return;
			part('access').open = true;
			part('access-text').textContent = hasToken
				? 'This token shows no details: it has expired, or its owner is neither an officer nor an administrator.'
				: 'Details are shown to officers and administrators.';
		},
	};
}
