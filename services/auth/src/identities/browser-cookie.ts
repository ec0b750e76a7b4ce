import { stepLivesMs } from './steps.ts';

const name = 'paddock-oidc';
const format = /^[\w-]{43}$/;
/** As long as the link of a mail, which is accepted in this browser only. */
const lifeSeconds = Math.max(...Object.values(stepLivesMs), 30 * 60_000) / 1_000;

/**
 * A secret that binds a sign-in with the identity provider to the browser that began it. `Lax`, since the provider sends the
 * browser back by a navigation.
 */
export function browserCookie(secret: string, publicUrl: string): string {
	const isSecure = publicUrl.startsWith('https:');
	const attributes = `Path=/auth/oidc; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax`;
	return `${name}=${secret}; ${attributes}${isSecure ? '; Secure' : ''}`;
}

/** The secret of a request's cookie. */
export function browserOf(
	headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
	for (const pair of [headers['cookie'] ?? ''].flat().join(';').split(';')) {
		const [key, value] = pair.trim().split('=');
		if (key === name && value !== undefined && format.test(value)) return value;
	}
	return undefined;
}
