import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, apiError } from '@paddock/contract';
import { bearerToken, isOfficer, type Principal, type TokenVerifier } from '@paddock/identity';
import { inChildSpan, traceparentOf } from '@paddock/telemetry';
import { isSafe } from '@paddock/upstream';
import type { RouteTable } from '../contexts/route-table.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { disconnectSignal, type Step } from '../exchange/pipeline.ts';
import type { RateLimiter } from '../limits/rate-limit.ts';
import type { LiveSessions } from './live-sessions.ts';

interface AuthenticateDeps {
	/** Whether OPTIONS needs no token: the service's response depends on the path alone. */
	readonly listsMethods: boolean;
	readonly routes: RouteTable;
	readonly verifier: TokenVerifier;
	/** Requests refused here never reach the rate limit step, so the refusal itself is counted. */
	readonly limiter: RateLimiter;
}

/** Deny by default: without a valid token only public routes are forwarded. The service verifies the token again. */
export function authenticate(deps: AuthenticateDeps): Step {
	return function authenticate(exchange, req) {
		const { authorization } = req.headers;
		// The common case is synchronous: a token in the cache of verified tokens.
		const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : undefined;
		exchange.principal = token === undefined ? undefined : deps.verifier.verifyCached(token);
		return exchange.principal === undefined ? judge(deps, exchange, req) : undefined;
	};
}

async function judge(deps: AuthenticateDeps, exchange: Exchange, req: IncomingMessage): Promise<undefined> {
	const isPublic =
		(deps.listsMethods && req.method === 'OPTIONS') || deps.routes.isPublic(req.method ?? '', exchange.route);
	try {
		exchange.principal = await principalOf(req.headers.authorization, deps.verifier);
		if (exchange.principal === undefined && !isPublic) throw apiError('UNAUTHENTICATED');
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		// A stale token must prevent neither a new sign-in nor reading a public resource.
		if (isPublic) return;
		if (error.status === 401) await deps.limiter.take(exchange, req);
		// A token would not help: the address does not exist.
		if (error.status === 401 && deps.routes.hasExtraSlash(exchange.path)) throw apiError('ROUTE_NOT_FOUND');
		throw error;
	}
}

/**
 * Forwards only declared operations of an attached service, and only to callers with a role that the contract requires.
 * Services of this project check that themselves.
 */
export function declaredOperation(routes: RouteTable): Step {
	return function declaredOperation(exchange, req): undefined {
		const { context, route, path, principal } = exchange;
		const operations = context?.attached?.operations;
		if (context === undefined || operations === undefined) return;
		if (!context.paths.some((declared) => declared === route) || routes.isAmbiguous(path, route))
			throw apiError('ROUTE_NOT_FOUND');
		// Browsers ask in this way, without a token.
		if (req.method === 'OPTIONS') return;
		const operation = `${req.method === 'HEAD' ? 'GET' : req.method} ${route}`;
		if (!operations.has(operation)) throw methodNotAllowed(operations, route);
		// The account has no rights yet, see claimsOf of auth.
		if (principal?.roles.length === 0 && !routes.isPublic(req.method ?? '', route))
			throw apiError('EMAIL_NOT_VERIFIED');
		const allowed = operations.get(operation);
		if (allowed?.some((role) => principal?.roles.some((own) => own === role)) === false)
			throw apiError('FORBIDDEN');
	};
}

/** Checks requests to attached services against their contract, where the operator wants that. Follows the body step. */
export function describedRequest(): Step {
	return function describedRequest(exchange, req): undefined {
		const check = exchange.context?.attached?.checkRequest;
		if (check === undefined || req.method === 'OPTIONS') return;
		check({
			operation: `${req.method === 'HEAD' ? 'GET' : req.method} ${exchange.route}`,
			url: req.url ?? '',
			headers: req.headers,
			body: exchange.body?.bytes,
		});
	};
}

function methodNotAllowed(operations: ReadonlyMap<string, unknown>, route: string): ApiError {
	const declared = [...operations.keys()].flatMap((operation) => {
		const [method = '', path] = operation.split(' ');
		return path !== route ? [] : method === 'GET' ? ['GET', 'HEAD'] : [method];
	});
	return apiError('METHOD_NOT_ALLOWED', { headers: { Allow: [...declared, 'OPTIONS'].join(', ') } });
}

/** Sets the principal of a page that needs no token. An invalid token, or one that can't be verified now, must not hide the page. */
export function recognise(verifier: TokenVerifier): Step {
	return async function recognise(exchange, req): Promise<undefined> {
		const { authorization } = req.headers;
		if (authorization !== undefined) exchange.principal = await knownCaller(authorization, verifier);
	};
}

/** The principal of a valid token, else undefined. */
export async function knownCaller(
	authorization: string | undefined,
	verifier: TokenVerifier,
): Promise<Principal | undefined> {
	try {
		return await principalOf(authorization, verifier);
	} catch (error) {
		if (error instanceof ApiError) return undefined;
		throw error;
	}
}

/** The principal of the token; undefined without one. @throws ApiError for an invalid token. */
async function principalOf(
	authorization: string | undefined,
	verifier: TokenVerifier,
): Promise<Principal | undefined> {
	const token = bearerToken(authorization);
	if (token === undefined) return undefined;
	return verifier.verifyCached(token) ?? (await verifier.verify(token));
}

/**
 * Lets an administrative write pass only if auth confirms the session at that moment: it fails closed, unlike the revocation
 * feed. It follows the body step, as an account may be closed while the body arrives.
 */
export function administrativeWrites(sessions: LiveSessions): Step {
	return function administrativeWrites(exchange, req, res) {
		if (isSafe(req.method ?? '')) return undefined;
		const { principal, context } = exchange;
		if (principal === undefined || !isOfficer(principal)) return undefined;
		// The context reads the session itself, in the transaction of the change.
		if (context?.checksSessions === true) return undefined;
		return requireLive(sessions, exchange, req, res);
	};
}

async function requireLive(
	sessions: LiveSessions,
	{ requestId, trace }: Exchange,
	req: IncomingMessage,
	res: ServerResponse,
): Promise<undefined> {
	await inChildSpan(trace.span, 'check session', { kind: 'internal' }, () =>
		sessions.requireLive({
			authorization: req.headers.authorization ?? '',
			requestId,
			traceparent: traceparentOf(trace),
			signal: disconnectSignal(res),
		}),
	);
}
