import { keepDeviceToken, knownDeviceToken } from './device-tokens.js';
import { createSharedSession } from './shared-session.js';

// Renewed this long before the token ends, so that no call meets one that has just expired; each tab a little earlier or later, so
// that one of them renews for all.
const renewSecondsBefore = 30;
const renewSecondsSpread = 10;
// Less than the gateway's REFRESH_GRACE_MS: a lost response may have used the refresh token.
const retrySeconds = 5;

/**
 * The session of the signed-in user: sign-in, renewal, sign-out, on all pages of this origin. `onChange` receives
 * `{ token, who, roles }`, or undefined after the sign-out, and a message if there is one to show.
 */
export function createAccess(onChange) {
	const shared = createSharedSession((session) => show(session, session === undefined ? 'Signed out.' : ''));
	let timer;

	/** @param code of the second factor; empty if there is none */
	async function signIn(email, password, code) {
		const next = await signedIn(email, password, code);
		keepDeviceToken(email, next.deviceToken);
		begin(next);
	}

	/** Uses a token from elsewhere. */
	function accept(token) {
		shared.set({ accessToken: token });
		show(shared.get());
	}

	/** Confirms the second factor; the token then allows sensitive operations for ten minutes. */
	async function stepUp(code) {
		const before = shared.get();
		const headers = { Authorization: `Bearer ${before.accessToken}` };
		const { accessToken, expiresIn } = await post('/auth/step-up', { code }, { headers });
		if (shared.get() !== before) return;
		const expiresAt = before.expiresAt === undefined ? undefined : Date.now() + expiresIn * 1_000;
		shared.set({ ...before, accessToken, expiresAt });
		show(shared.get());
	}

	async function signOut() {
		const ended = shared.get();
		shared.set(undefined);
		show(undefined, 'Signed out.');
		if (ended?.refreshToken !== undefined) {
			const headers = { Authorization: `Bearer ${ended.accessToken}` };
			await post('/auth/logout', undefined, { headers });
		}
	}

	function begin({ accessToken, refreshToken, expiresIn, user: { email, roles } }) {
		const expiresAt = Date.now() + expiresIn * 1_000;
		shared.set({ accessToken, refreshToken, expiresAt, user: { email, roles } });
		show(shared.get());
	}

	function show(session, message) {
		clearTimeout(timer);
		if (session === undefined) return onChange(undefined, message);
		const { accessToken: token, expiresAt, user } = session;
		if (expiresAt !== undefined) renewIn((expiresAt - Date.now()) / 1_000 - renewSecondsBefore - spread());
		if (user === undefined)
			return onChange({ token, who: 'Your token is sent with every call.', roles: rolesIn(token) }, message);
		onChange(
			{ token, who: `Signed in as ${user.email} (${user.roles.join(', ')}).`, roles: user.roles },
			message,
		);
	}

	function renewIn(seconds) {
		clearTimeout(timer);
		timer = setTimeout(() => shared.alone(renew), Math.max(1, seconds) * 1_000);
	}

	/** Signs out only if the session has ended: during an outage of auth its administrators need it most. */
	async function renew() {
		const before = shared.get();
		// Another tab has renewed it while this one waited.
		if (
			before === undefined ||
			before.expiresAt - Date.now() > (renewSecondsBefore + renewSecondsSpread) * 1_000
		)
			return;
		try {
			const next = await post('/auth/refresh', { refreshToken: before.refreshToken });
			if (shared.get() === before) begin({ user: before.user, ...next });
		} catch (error) {
			if (shared.get() !== before) return;
			if (error.status !== 401) return renewIn(Math.max(retrySeconds, error.retryAfter ?? 0));
			shared.set(undefined);
			show(undefined, `Signed out: ${error.message}`);
		}
	}

	return { signIn, accept, stepUp, signOut, token: () => shared.get()?.accessToken };
}

/** The response to a sign-in, with the second step if the account has one. */
async function signedIn(email, password, code) {
	const deviceToken = knownDeviceToken(email);
	const headers = deviceToken === undefined ? {} : { 'X-Device-Token': deviceToken };
	return post('/auth/login', { email, password }, { headers }).catch((error) => {
		if (error.code !== 'SECOND_FACTOR_REQUIRED') throw error;
		if (code.trim() === '')
			throw Object.assign(error, {
				message: 'Enter a code of your authenticator app, or a recovery code, too.',
			});
		return post('/auth/login/second-factor', { challengeToken: error.challengeToken, code }, { headers });
	});
}

function spread() {
	return Math.random() * renewSecondsSpread;
}

/** The roles that a token claims, to show what its owner may do; the gateway verifies them. */
function rolesIn(token) {
	try {
		const [, claims = ''] = token.split('.');
		return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).roles ?? [];
	} catch {
		return []; // Not an access token: the gateway refuses it.
	}
}

/** The data of a successful response. @throws Error with the message of the envelope, `code`, `status`, `challengeToken` and `retryAfter` in seconds */
async function post(path, body, { headers = {} } = {}) {
	const response = await fetch(path, {
		method: 'POST',
		headers: {
			Accept: 'application/json',
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
			...headers,
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const envelope = await response.json();
	if (response.ok) return envelope.data;
	const retryAfter = Number(response.headers.get('Retry-After'));
	const { code, challengeToken } = envelope.data ?? {};
	throw Object.assign(new Error(envelope.message), {
		code,
		challengeToken,
		status: response.status,
		retryAfter,
	});
}
