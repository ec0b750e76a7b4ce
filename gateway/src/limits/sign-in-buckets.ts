import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clientNetwork } from '@paddock/service';
import type { Exchange } from '../exchange/exchange.ts';
import type { RateBucket } from './rate-limit.ts';

const deviceTokenFormat = /^[\w-]{43}$/;
/** A body with a refresh token is far shorter; larger ones are not worth parsing here. */
const refreshBytesMax = 8_192;
export const refreshPath = '/auth/refresh';
/** With the steps of a second factor. */
const signInPath = /^\/auth\/login(\/[a-z-]+)*$/;
/** Counted apart: each needs a step that the identity provider has confirmed. */
const externalSignInPath = /^\/auth\/oidc\/(exchange|link)$/;
/** Each request sends a mail to an address that it determines. */
const accountMailPaths: ReadonlySet<string> = new Set([
	'/auth/forgot-password',
	'/auth/resend-verification',
	'/auth/change-email',
	'/auth/oidc/link/mail',
]);
const claimPath = '/auth/member-links';

/**
 * The buckets of a POST that signs in, or that asks for a mail or a link to a member; undefined for any other. All of them must allow it, in this order: a
 * request that the bucket of its own token refuses uses up nothing of the one that its whole address shares. The address is
 * last, so that invented tokens are not counted once it is at its limit.
 * - without a device token, and registrations: by address;
 * - with a device token: by address and token, then by address. The gateway doesn't know which tokens are real; the
 *   second bucket bounds what invented ones gain;
 * - a refresh: by its token, then by address. The token is in the body, so the body must have been read;
 * - a request for a mail with a link: by address, apart from sign-ins, so that neither uses up the other;
 * - a claim of a member: by user, since it could be used to guess membership numbers and birth dates.
 */
export function signInBuckets(
	{ path, client, principal, body }: Exchange,
	req: IncomingMessage,
): readonly RateBucket[] | undefined {
	const network = () => clientNetwork(client.address);
	if (path === '/auth/register') return [{ policy: 'signIn', key: network() }];
	if (accountMailPaths.has(path)) return [{ policy: 'accountMail', key: network() }];
	if (externalSignInPath.test(path)) return [{ policy: 'signIn', key: `oidc ${network()}` }];
	if (path === claimPath && principal !== undefined) return [{ policy: 'claim', key: principal.userId }];
	if (signInPath.test(path)) return loginBuckets(req.headers['x-device-token'], network());
	if (path !== refreshPath) return undefined;
	const token = refreshToken(body?.bytes);
	const ofAddress = { policy: 'refreshes', key: network() } as const;
	return token === undefined ? [ofAddress] : [{ policy: 'refresh', key: digest(token) }, ofAddress];
}

function loginBuckets(token: string | string[] | undefined, network: string): readonly RateBucket[] {
	if (typeof token !== 'string' || !deviceTokenFormat.test(token))
		return [{ policy: 'signIn', key: network }];
	return [
		{ policy: 'deviceSignIn', key: `${network} ${digest(token)}` },
		{ policy: 'deviceSignIns', key: network },
	];
}

function refreshToken(body: Buffer | undefined): string | undefined {
	if (body === undefined || body.length > refreshBytesMax) return undefined;
	try {
		const { refreshToken: token } = JSON.parse(body.toString()) as { refreshToken?: unknown };
		return typeof token === 'string' ? token : undefined;
	} catch {
		// Not JSON, or null: auth refuses it, and only the address is counted.
		return undefined;
	}
}

function digest(token: string): string {
	return hash('sha256', token, 'base64url');
}
