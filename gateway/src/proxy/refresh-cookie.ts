import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { apiError } from '@paddock/contract';
import type { Exchange } from '../exchange/exchange.ts';
import { UpstreamFailure } from '../exchange/failures.ts';
import type { Step } from '../exchange/pipeline.ts';
import type { UpstreamResponse } from '../forwarder/forwarder.ts';
import { readBody, WholeBody } from '../forwarder/whole-body.ts';

/** Required with the cookie: another origin can send it only after a preflight, which is refused with credentials. */
export const refreshCookieHeader = 'x-refresh-cookie';
const name = 'paddock.refresh';
const refreshPath = '/auth/refresh';
/** Readable by the pages: whether it is worth trying a refresh. It opens nothing. */
const hintName = 'paddock.session';
/** Stands for the token where clients expect one. */
const placeholder = 'cookie';
const paths = /^\/auth\/(?:login(?:\/[a-z-]+)*|oidc\/(?:exchange|link)|refresh|logout)$/;
const tokenFormat = /^[\w.~+/=-]{1,1024}$/;

type Request = Pick<IncomingMessage, 'method' | 'headers'>;

/** Whether a page of this origin keeps its refresh token in the cookie. */
function usesCookie({ path, context }: Exchange, { method, headers }: Request): boolean {
	if (headers[refreshCookieHeader] !== 'on' || method !== 'POST' || context?.name !== 'auth') return false;
	// Browsers that don't send it are protected by the header and `SameSite` alone.
	const site = headers['sec-fetch-site'];
	return paths.test(path) && (site === undefined || site === 'same-origin');
}

/** Puts the refresh token from the cookie into the body of a refresh. Follows the body step. */
export function refreshCookie(): Step {
	return function refreshCookie(exchange, req): undefined {
		if (!usesCookie(exchange, req)) return;
		// The body of the response is read here.
		req.headers['accept-encoding'] = 'identity';
		if (exchange.path !== refreshPath) return;
		const token = tokenIn(req.headers);
		delete req.headers.cookie;
		if (token === undefined) throw apiError('INVALID_TOKEN', { message: 'There is no session. Sign in.' });
		const before = exchange.body;
		const bytes = Buffer.from(JSON.stringify({ refreshToken: token }));
		req.headers['content-type'] = 'application/json';
		exchange.body = {
			bytes,
			release: () => {
				exchange.body = undefined;
				before?.release();
			},
		};
	};
}

/** The token, unless another host of the domain has set a second cookie of the name: no one knows which is ours then. */
function tokenIn({ cookie = '' }: IncomingHttpHeaders): string | undefined {
	const values = cookie.split(/;\s*/).flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair] : []));
	const token = values[0]?.slice(name.length + 1);
	return values.length === 1 && token !== undefined && tokenFormat.test(token) ? token : undefined;
}

/** Moves the refresh token of a response into the cookie, and clears it with the session. @throws UpstreamFailure if it is unusable */
export async function withRefreshCookie(
	response: UpstreamResponse,
	exchange: Exchange,
	req: Request,
): Promise<UpstreamResponse> {
	if (!usesCookie(exchange, req)) return response;
	const { status, headers } = response;
	const ends =
		exchange.path === '/auth/logout' ? status < 500 : exchange.path === refreshPath && status === 401;
	if (ends) return { ...response, headers: withCookies(headers, cookies('', 0, exchange)) };
	if (status !== 200) return response;
	const { data, ...envelope } = parsed((await readBody(response.body)).toString());
	const { refreshToken, refreshExpiresIn = 0 } = data;
	// Steps of a sign-in before the last one have none.
	const set = refreshToken === undefined ? [] : cookies(refreshToken, refreshExpiresIn, exchange);
	const shown = refreshToken === undefined ? data : { ...data, refreshToken: placeholder };
	const bytes = Buffer.from(JSON.stringify({ ...envelope, data: shown }));
	const own: IncomingHttpHeaders = { ...headers, 'content-length': String(bytes.length) };
	return { status, headers: withCookies(own, set), body: new WholeBody(bytes) };
}

function withCookies(headers: IncomingHttpHeaders, added: readonly string[]): IncomingHttpHeaders {
	return { ...headers, 'set-cookie': [...(headers['set-cookie'] ?? []), ...added] };
}

function cookies(token: string, maxAge: number, { client }: Exchange): string[] {
	const secure = client.protocol === 'https' ? '; Secure' : '';
	const shared = `Max-Age=${maxAge}; SameSite=Strict${secure}`;
	return [
		`${name}=${token}; Path=${refreshPath}; HttpOnly; ${shared}`,
		`${hintName}=${token === '' ? '' : 'on'}; Path=/app; ${shared}`,
	];
}

interface SignIn {
	readonly data: { readonly refreshToken?: string; readonly refreshExpiresIn?: number };
}

function parsed(text: string): SignIn {
	try {
		return JSON.parse(text) as SignIn;
	} catch (error) {
		throw new UpstreamFailure('invalidResponse', error);
	}
}
