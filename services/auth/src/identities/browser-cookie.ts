import { stepLivesMs } from './steps.ts';

const format = /^[\w-]{43}$/;
/** As long as the link of a mail, which is accepted in this browser only. */
const lifeSeconds = Math.max(...Object.values(stepLivesMs), 30 * 60_000) / 1_000;

/**
 * A secret that binds a sign-in with the identity provider to the browser that began it. `Lax`, since the provider sends the
 * browser back by a navigation.
 */
export function browserCookie(secret: string, publicUrl: string): string {
	const scope = isSecure(publicUrl) ? 'Path=/; Secure' : 'Path=/auth/oidc';
	return `${nameOf(publicUrl)}=${secret}; ${scope}; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax`;
}

/** The secret of a request's cookie; undefined if there are several: another host of the domain may have set one. */
export function browserOf(
	headers: Readonly<Record<string, string | string[] | undefined>>,
	publicUrl: string,
): string | undefined {
	const prefix = `${nameOf(publicUrl)}=`;
	const pairs = [headers['cookie'] ?? ''].flat().join(';').split(';');
	const [secret = '', ...others] = pairs
		.map((pair) => pair.trim())
		.filter((pair) => pair.startsWith(prefix))
		.map((pair) => pair.slice(prefix.length));
	return others.length === 0 && format.test(secret) ? secret : undefined;
}

/** With the prefix, browsers accept the cookie from this host only (RFC 6265bis §4.1.3.2). */
function nameOf(publicUrl: string): string {
	return isSecure(publicUrl) ? '__Host-paddock-oidc' : 'paddock-oidc';
}

function isSecure(publicUrl: string): boolean {
	return publicUrl.startsWith('https:');
}
