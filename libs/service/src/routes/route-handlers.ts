import { ApiError, apiError, type ChangeAuthor, changeAuthor, type Page } from '@paddock/contract';
import { bearerToken, hasRole, isOfficer, type Principal, type TokenVerifier } from '@paddock/identity';
import { requestDeadline } from '@paddock/resilience';
import { inChildSpan, traceparentOf } from '@paddock/telemetry';
import type { Request, RequestHandler, Response } from 'express';
import { collectionOf, pageOfCollection, withinCollection } from '../fields/paging.ts';
import { jsonBody, textBody } from '../http/json-body.ts';
import { requestContextOf } from '../http/request-context.ts';
import type { Access } from './access.ts';
import { parsePreconditions } from './conditions.ts';
import { declaredFieldsOf } from './declared-fields.ts';
import { deprecationHeaders } from './deprecation.ts';
import { withPresentNames } from './former-names.ts';
import type { HeavyRequests, Load } from './heavy-requests.ts';
import { parseIdempotencyKey, refuseIdempotencyKey } from './idempotency-key.ts';
import { parseInput } from './input.ts';
import { asError, isStream, sendResponse } from './response.ts';
import { anyMediaType, isBodyOptional, mediaTypesOf, offeredTypesOf, type Route } from './route.ts';
import { updateOf } from './update.ts';

export interface RouteOptions<Deps> {
	readonly deps: Deps;
	readonly lagging?: LaggingDeps<Deps> | undefined;
	readonly heavyRequests?: HeavyRequests;
	readonly verifier: TokenVerifier;
	/** Verifies tokens between services; only required by routes with a scope. */
	readonly internalVerifier?: TokenVerifier;
	readonly bodyBytesMax: number;
	/** Checks every response against its schema; a mismatch is a bug and becomes a 500. Off in production. */
	readonly checkResponses: boolean;
	readonly now: () => Date;
	readonly addressOf: (req: Request) => string;
}

/** Dependencies of handlers whose reads are served by a read replica. */
export interface LaggingDeps<Deps> {
	/** Undefined while the replica must not be used. */
	readonly admit: () => LaggingUse<Deps> | undefined;
}

/** The permit for one request; exactly one outcome is reported. */
interface LaggingUse<Deps> {
	readonly deps: Deps;
	succeeded(): void;
	failed(error: unknown): void;
	/** It says nothing about the replica. */
	abandoned(): void;
}

/** The steps of a request through its route: acceptable → authenticate → authorise → body → parse → handle → respond. */
export function routeHandlers<Deps>(route: Route<Deps>, options: RouteOptions<Deps>): RequestHandler[] {
	return [
		admit(route, options, options.deps),
		...bodyOf(route, options.bodyBytesMax),
		handle(route, options),
	];
}

function bodyOf<Deps>({ body: schema, textBody: text, method }: Route<Deps>, bytesMax: number) {
	if (text !== undefined) return [textBody(text)];
	if (schema === undefined) return [];
	return [jsonBody({ bytesMax, isPatch: method === 'patch', isOptional: isBodyOptional(schema) })];
}

const handlerSpan = { kind: 'internal' } as const;

type Verifiers = Pick<RouteOptions<never>, 'verifier' | 'internalVerifier'>;

function admit<Deps>(route: Route<Deps>, verifiers: Verifiers, deps: Deps): RequestHandler {
	const verifier = verifierFor(route.access, verifiers);
	const { access, alternative, tokenOptional } = route;
	const needsRoles = access === 'signedIn' && route.unverifiedToo !== true;
	const acceptable = [...new Set([...offeredTypesOf(route), ...offeredTypesOf({})])];
	const notAcceptable = { message: `Only ${mediaTypesOf(route).join(' or ')} is available.` };
	const negotiates = route.document !== anyMediaType;
	const headers = Object.entries(route.deprecated === undefined ? {} : deprecationHeaders(route.deprecated));
	const ignoresToken = access === 'public' && tokenOptional === undefined;
	return async function admit(req, res, next): Promise<void> {
		requestContextOf(req).route = route.path;
		for (const [name, value] of headers) res.setHeader(name, value);
		if (alternative !== undefined) res.vary('Accept');
		if (negotiates && req.accepts(acceptable) === false) throw apiError('NOT_ACCEPTABLE', notAcceptable);
		if (!ignoresToken) {
			const principal = await authenticate(route, verifier, req);
			requestContextOf(req).principal = principal;
			if (!mayCall(access, principal)) throw apiError('FORBIDDEN');
			// Every verified account has the role MEMBER.
			if (needsRoles && principal?.roles.length === 0) throw apiError('EMAIL_NOT_VERIFIED');
		}
		route.admit?.(req.headers, deps);
		next();
	};
}

/** The verifier for the only kind of token that the route accepts. */
function verifierFor(access: Access, { verifier, internalVerifier }: Verifiers): TokenVerifier {
	if (typeof access !== 'object' || !('scope' in access)) return verifier;
	if (internalVerifier === undefined) throw new TypeError('A route with a scope needs an internal verifier.');
	return internalVerifier;
}

function mayCall(access: Access, principal: Principal | undefined): boolean {
	if (typeof access === 'string') return true;
	if (principal === undefined) return false;
	return 'scope' in access ? principal.scopes.includes(access.scope) : hasRole(principal, ...access.roles);
}

async function authenticate<Deps>(
	route: Route<Deps>,
	verifier: TokenVerifier,
	req: Request,
): Promise<Principal | undefined> {
	if (route.access !== 'public') {
		const token = bearerToken(req.headers.authorization);
		if (token === undefined) throw apiError('UNAUTHENTICATED');
		return verifier.verify(token);
	}
	// A stale token must not hide what is public. If no token can be verified now (503), the caller is unknown, not
	// anonymous: `/internal/session` would report an active session as ended.
	try {
		const token = bearerToken(req.headers.authorization);
		return token === undefined ? undefined : await verifier.verify(token);
	} catch (error) {
		const isAnonymous = (status: number) => status === 401 || route.tokenOptional === 'ifVerifiable';
		if (error instanceof ApiError && isAnonymous(error.status)) return undefined;
		throw error;
	}
}

function handle<Deps>(route: Route<Deps>, options: RouteOptions<Deps>): RequestHandler {
	const types = mediaTypesOf(route);
	const offered = offeredTypesOf(route);
	const usualLoad = loadOf(route);
	const isReading = route.method === 'get';
	// Made with the first response: schemas take a part of the start.
	let project: ((data: unknown) => unknown) | undefined;
	return async function handle(req: Request, res: Response): Promise<void> {
		const context = requestContextOf(req);
		const query = req.url.indexOf('?');
		const { collection, ...input } = parsed(route, {
			params: req.params,
			search: query === -1 ? '' : req.url.slice(query + 1),
			body: withPresentNames(route.body, req.body),
		});
		const load = wantsExactTotal(input.query, context.principal) ? 'heavy' : usualLoad;
		const request = {
			...input,
			...(route.updates ? { update: updateOf(route as Route<never>, req.body) } : {}),
			principal: context.principal,
			accepted:
				types.length === 1 ? types[0] : (types[offered.indexOf(req.accepts(offered) || '')] ?? types[0]),
			preconditions: route.precondition === true ? parsePreconditions(req.headers) : {},
			idempotencyKey: idempotencyKeyOf(route, req),
			requestId: context.requestId,
			traceparent: traceparentOf(context.trace),
			address: options.addressOf(req),
			headers: req.headers,
			signal: context.signal,
			now: options.now(),
			log: context.log,
		};
		const run = () =>
			inChildSpan(context.trace.span, `handler ${route.operationId}`, handlerSpan, () =>
				resultFromAny(route, request, options),
			);
		const caller = context.principal?.userId ?? request.address;
		const { heavyRequests } = options;
		// A document in parts is written within the slot, because its queries continue.
		const respond = async (): Promise<void> => {
			const result = await run();
			project ??= declaredFieldsOf(route.output) ?? ((whole) => whole);
			const isWritten = typeof result === 'function' || isStream(result);
			const isPage = collection !== undefined && 'pagination' in Object(result);
			const data = isPage ? pageOfCollection(collection, result as Page<unknown>) : result;
			if (options.checkResponses && !isWritten) checkResponse(route, data);
			if (!res.destroyed) await sendResponse(res, route, isWritten ? data : project(data), options.now());
		};
		const begin = (): Promise<void> =>
			load !== undefined && heavyRequests !== undefined
				? heavyRequests.run(load, caller, context.signal, respond)
				: respond();
		await (isReading ? begin() : changeAuthor.run(authorOf(request), begin));
	};
}

/** @throws ApiError as `parseInput` does, INVALID_QUERY_PARAMETER for a cursor of another collection */
function parsed<Deps>(route: Route<Deps>, raw: Parameters<typeof parseInput>[1]) {
	const input = parseInput(route, raw);
	if (!isPaged(route)) return { ...input, collection: undefined };
	const collection = collectionOf(route.operationId, Object(input.params));
	return { ...input, query: withinCollection(collection, Object(input.query)), collection };
}

function isPaged<Deps>({ query }: Route<Deps>): boolean {
	return query !== undefined && 'cursor' in query.shape;
}

function loadOf<Deps>(route: Route<Deps>): Load | undefined {
	if (route.heavy === true) return 'heavy';
	return route.mayLag === true || isPaged(route) ? 'list' : undefined;
}

function authorOf(request: {
	readonly principal: Principal | undefined;
	readonly requestId: string;
	readonly body: unknown;
}): ChangeAuthor {
	const { principal, requestId, body } = request;
	if (principal === undefined) return { requestId };
	const { userId, memberId, roles, scopes } = principal;
	const reason = reasonIn(body);
	return scopes.length > 0
		? { service: userId, requestId, reason }
		: { userId, memberId, roles, requestId, reason };
}

function reasonIn(body: unknown): string | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	const reason: unknown = Reflect.get(body, 'reason') ?? Reflect.get(body, 'statusReason');
	return typeof reason === 'string' ? reason : undefined;
}

/** Counting all records of a long list costs as much as reading it. @throws ApiError FORBIDDEN */
function wantsExactTotal(query: unknown, principal: Principal | undefined): boolean {
	const wanted = typeof query === 'object' && query !== null && Reflect.get(query, 'exactTotal') === true;
	if (!wanted || (principal !== undefined && isOfficer(principal))) return wanted;
	throw apiError('FORBIDDEN', { message: 'Exact totals are for the federation’s office.' });
}

function idempotencyKeyOf<Deps>(route: Route<Deps>, req: Request): string | undefined {
	const header = req.headers['idempotency-key'];
	if (route.idempotent === true) return parseIdempotencyKey(header);
	return route.status === 201 ? refuseIdempotencyKey(header) : undefined;
}

// Also what a browser sends when the user reloads a page.
const currentWanted = /\b(?:no-cache|max-age=0)\b/i;

/**
 * The result with lagging dependencies, if route and caller accept it. Failures are repeated with the primary, unless the
 * caller has disconnected or another service has failed.
 */
async function resultFromAny<Deps>(
	route: Route<Deps>,
	request: { readonly headers: Request['headers']; readonly signal: AbortSignal },
	{ deps, lagging }: RouteOptions<Deps>,
): Promise<unknown> {
	const mayLag = route.mayLag === true && !currentWanted.test(request.headers['cache-control'] ?? '');
	const use = mayLag ? lagging?.admit() : undefined;
	if (use !== undefined) {
		try {
			const result = await inHalfTheTime(() => resultOf(route, request, use.deps));
			use.succeeded();
			return result;
		} catch (error) {
			const { aborted } = request.signal;
			const code = error instanceof ApiError ? error.code : undefined;
			// Other refusals can precede the first query.
			if (aborted || (code !== undefined && code !== 'NOT_FOUND')) use.abandoned();
			else if (code === undefined) use.failed(error);
			else use.succeeded();
			if (aborted || (error instanceof ApiError && error.status >= 500)) throw error;
		}
	}
	return resultOf(route, request, deps);
}

/** Leaves the other half of the time until the caller's deadline: several slow queries could take all of it. */
function inHalfTheTime<Result>(work: () => Promise<Result>): Promise<Result> {
	const deadlineAt = requestDeadline.getStore();
	return deadlineAt === undefined ? work() : requestDeadline.run((performance.now() + deadlineAt) / 2, work);
}

/** @returns data, a `ResponseWriter` or a document in parts */
async function resultOf<Deps>(route: Route<Deps>, request: object, deps: Deps): Promise<unknown> {
	try {
		return await route.handler(request as never, deps);
	} catch (thrown) {
		// Express treats the thrown texts 'route' and 'router' as a request to continue with the next route.
		throw typeof thrown === 'string' ? asError(thrown) : thrown;
	}
}

function checkResponse<Deps>(route: Route<Deps>, data: unknown): void {
	const declared = declaredFieldsOf(route.output, false)?.(data) ?? data;
	const result = route.output.safeParse(declared);
	if (result.success) return;
	throw new TypeError(`The response of ${route.operationId} breaks its schema: ${result.error.message}`);
}
