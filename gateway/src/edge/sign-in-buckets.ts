import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { exchangeOf } from '../exchange.ts';
import { clientNetwork } from './client-network.ts';

/** The counter of a sign-in, a registration or a refresh. */
export interface SignInBucket {
	readonly policy: 'signIn' | 'deviceSignIn' | 'deviceSignIns' | 'refresh' | 'refreshes';
	readonly key: string;
}

const deviceTokenFormat = /^[\w-]{43}$/;
/** A body with a refresh token is far shorter; larger ones are not worth parsing here. */
const refreshBytesMax = 8_192;

/**
 * The buckets of a request to sign in; undefined for any other request. All of them must allow it, in this order: a
 * request that the bucket of its own token refuses uses up nothing of the one that its whole address shares.
 * - without a device token, and registrations: by address;
 * - with a device token: by address and token, then by address. The gateway doesn't know which tokens are real; the
 *   second bucket bounds what invented ones gain;
 * - a refresh: by its token, then by address. The token is in the body, so the body must have been read.
 */
export function signInBuckets(req: IncomingMessage): readonly SignInBucket[] | undefined {
	if (req.method !== 'POST') return undefined;
	const { path, clientAddress } = exchangeOf(req);
	const network = () => clientNetwork(clientAddress);
	if (path === '/auth/register') return [{ policy: 'signIn', key: network() }];
	if (path === '/auth/login') return loginBuckets(req.headers['x-device-token'], network());
	if (path !== refreshPath) return undefined;
	const token = refreshToken(exchangeOf(req).body?.bytes);
	const ofAddress = { policy: 'refreshes', key: network() } as const;
	return token === undefined ? [ofAddress] : [{ policy: 'refresh', key: digest(token) }, ofAddress];
}

const refreshPath = '/auth/refresh';

/** Whether the request is counted after its body has been read. Without the auth context no step reads it. */
export function isRefresh(req: IncomingMessage): boolean {
	const { path, context } = exchangeOf(req);
	return req.method === 'POST' && path === refreshPath && context !== undefined;
}

function loginBuckets(token: string | string[] | undefined, network: string): readonly SignInBucket[] {
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
