import type { IncomingMessage } from 'node:http';
import { ApiError, fail } from '@paddock/contract';
import { bearerToken, type Principal, type TokenVerifier } from '@paddock/identity';
import type { RateLimiter } from '../edge/rate-limit.ts';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { Step } from '../pipeline.ts';
import type { RouteTable } from '../route-table.ts';

export interface AuthenticateDeps {
	readonly routes: RouteTable;
	readonly verifier: TokenVerifier;
	/** Who is refused here never reaches the rate limit step, so the refusal itself is counted. */
	readonly limiter: RateLimiter;
}

/**
 * Deny by default: without a valid token only what the table of contexts lists as public gets on. The service
 * verifies the token once more; this step keeps the load of refused requests away from it.
 */
export function authenticate(deps: AuthenticateDeps): Step {
	return function authenticate(req) {
		const exchange = exchangeOf(req);
		const { authorization } = req.headers;
		// The usual case waits for nothing: a token that was verified a moment ago.
		const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : undefined;
		exchange.principal = token === undefined ? undefined : deps.verifier.verifyCached(token);
		return exchange.principal === undefined ? judge(deps, req, exchange) : undefined;
	};
}

async function judge(deps: AuthenticateDeps, req: IncomingMessage, exchange: Exchange): Promise<undefined> {
	const isPublic = deps.routes.isPublic(req.method ?? '', exchange.path);
	try {
		exchange.principal = await principalOf(req, deps.verifier);
		if (exchange.principal === undefined && !isPublic) throw fail('UNAUTHENTICATED');
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		// A stale token must not stand in the way of signing in again, nor of reading what anybody may read.
		if (isPublic) return;
		if (error.status === 401) await deps.limiter.take(req);
		throw error;
	}
}

/**
 * Names the caller of a page that needs no token: by a valid one, else not at all. A token that isn't valid, or can't be
 * verified while auth is down, must not hide the page.
 */
export function recognise(verifier: TokenVerifier): Step {
	return async function recognise(req): Promise<undefined> {
		if (req.headers.authorization !== undefined) exchangeOf(req).principal = await knownCaller(req, verifier);
	};
}

/** The caller, as far as a valid token names one. */
export async function knownCaller(
	req: IncomingMessage,
	verifier: TokenVerifier,
): Promise<Principal | undefined> {
	try {
		return await principalOf(req, verifier);
	} catch (error) {
		if (error instanceof ApiError) return undefined;
		throw error;
	}
}

/** Who sent the request; undefined without a token. @throws ApiError for a token that isn't valid. */
export async function principalOf(
	req: IncomingMessage,
	verifier: TokenVerifier,
): Promise<Principal | undefined> {
	const token = bearerToken(req.headers.authorization);
	if (token === undefined) return undefined;
	return verifier.verifyCached(token) ?? (await verifier.verify(token));
}
