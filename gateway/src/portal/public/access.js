import { keepDeviceToken, knownDeviceToken } from './device-tokens.js';

// Renewed this long before the token ends, so that no call meets one that has just expired.
const renewSecondsBefore = 30;
// Less than the gateway's REFRESH_GRACE_MS: a lost response may have used the refresh token.
const retrySeconds = 5;

/**
 * The session of the signed-in user, in this tab's memory only: sign-in, renewal, sign-out. `onChange` receives
 * `{ token, who, roles }`, or undefined after the sign-out, and a message if there is one to show.
 */
export function createAccess(onChange) {
	let session;
	let timer;

	async function signIn(email, password) {
		const deviceToken = knownDeviceToken(email);
		const headers = deviceToken === undefined ? {} : { 'X-Device-Token': deviceToken };
		const next = await post('/auth/login', { email, password }, { headers });
		keepDeviceToken(email, next.deviceToken);
		begin(next);
	}

	/** Uses a token from elsewhere. */
	function accept(token) {
		clearTimeout(timer);
		session = { accessToken: token };
		onChange({ token, who: 'Your token is sent with every call.', roles: rolesIn(token) });
	}

	async function signOut() {
		clearTimeout(timer);
		const ended = session;
		session = undefined;
		onChange(undefined, 'Signed out.');
		if (ended?.refreshToken !== undefined) {
			const headers = { Authorization: `Bearer ${ended.accessToken}` };
			await post('/auth/logout', undefined, { headers });
		}
	}

	function begin(next) {
		session = next;
		renewIn(Math.max(1, next.expiresIn - renewSecondsBefore));
		const roles = next.user.roles.join(', ');
		onChange({
			token: next.accessToken,
			who: `Signed in as ${next.user.email} (${roles}).`,
			roles: next.user.roles,
		});
	}

	function renewIn(seconds) {
		clearTimeout(timer);
		timer = setTimeout(renew, seconds * 1_000);
	}

	/** Signs out only if the session has ended: during an outage of auth its administrators need it most. */
	async function renew() {
		const before = session;
		try {
			const next = await post('/auth/refresh', { refreshToken: before.refreshToken });
			if (session === before) begin({ user: before.user, ...next });
		} catch (error) {
			if (session !== before) return;
			if (error.status !== 401) return renewIn(Math.max(retrySeconds, error.retryAfter ?? 0));
			session = undefined;
			onChange(undefined, `Signed out: ${error.message}`);
		}
	}

	return { signIn, accept, signOut, token: () => session?.accessToken };
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

/** The data of a successful response. @throws Error with the message of the envelope, `status` and `retryAfter` in seconds */
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
	throw Object.assign(new Error(envelope.message), { status: response.status, retryAfter });
}
