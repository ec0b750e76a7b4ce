import { apiError } from '@paddock/contract';
import { isSafe } from '@paddock/upstream';
import type { Context } from '../contexts/context.ts';
import type { CacheResult } from '../exchange/exchange.ts';
import type { UpstreamResponse } from '../forwarder/forwarder.ts';
import { acceptsOnlyStored, type Call, type Forward } from '../proxy/attempt.ts';
import { type FetchDeps, unlessKnown } from './fetch-response.ts';
import { acceptsType, type KeyedRequest, keyedRequest, mustBypass, withParameters } from './keyed-request.ts';
import type { ResponseStore } from './response-store.ts';
import { createSharedFetches, isFailure, type SharedFetch, type SharedFetches } from './shared-fetches.ts';
import { mayReplaceFailure, responseFrom, type StoredResponse } from './stored-response.ts';

interface ResponseCache extends Omit<FetchDeps, 'forward'> {
	readonly paths: Omit<CacheablePaths, 'collections'>;
	readonly now: () => Date;
	readonly onResult: (result: CacheResult) => void;
}

// A failing service is tried this often in the background; clients get the stored response at once.
const retryAfterFailureMs = 1_000;
// Longer than an attempt takes. After that the failure says nothing about the service any more.
const recentFailureMs = 150_000;

/**
 * A shared cache in front of the choice of an instance:
 *  A request with `only-if-cached` gets 504 where it would be forwarded.
 *  a. a write → forward, then invalidate the collection
 *  b. a route that isn't cached → forward
 *  c. a caller with a token, or a request that forbids it or has a body → forward; the stored response only if that fails
 *  d. stored and fresh → the stored response
 *  e. stored and stale, but usable → the stored response, and fetch in the background
 *  f. else fetch, once for all who wait for the same; the stored response in place of a failure
 */
export function cachedForward(cache: ResponseCache, forward: Forward): Forward {
	const fetches = createSharedFetches({ ...cache, forward });
	return (received) => {
		const { context, path, route } = received.exchange;
		if (!isSafe(received.method)) {
			const changed = cache.paths.changedBy(context, path);
			return changed.length === 0 ? forward(received) : invalidating(cache.store, changed, forward(received)); // a
		}
		const collection = received.method === 'OPTIONS' ? undefined : cache.paths.collectionOf(route);
		const onlyStored = acceptsOnlyStored(received);
		if (collection === undefined) return onlyStored ? notStored(received) : forward(received); // b
		const read = cache.paths.parametersOf(route);
		const call = read === undefined ? received : { ...received, url: withParameters(received.url, read) };
		const request = keyedRequest(call.url, collection, call.req.headers);
		const found = cache.store.find(request);
		const stored =
			found !== undefined && acceptsType(request.headers.accept, found.contentType) ? found : undefined;
		// A service that reads the body of a GET would put one client's into the response of all others.
		if (call.exchange.body !== undefined || mustBypass(call.req.headers))
			return onlyStored ? notStored(call) : bypassing({ cache, call, request, stored }, forward); // c
		return served({ cache, call, request, stored }, { fetches, forward }); // d–f
	};
}

/** Counted without a context: a client could otherwise spend a service's error budget. */
async function notStored({ exchange }: Call): Promise<never> {
	exchange.route = 'unmatched';
	throw apiError('NOT_CACHED');
}

interface Lookup {
	readonly cache: ResponseCache;
	readonly call: Call;
	readonly request: KeyedRequest;
	readonly stored: StoredResponse | undefined;
}

/** A write that failed may have been carried out all the same. A refused one (4xx) changed nothing. */
async function invalidating(
	store: ResponseStore,
	changed: readonly string[],
	response: Promise<UpstreamResponse>,
): Promise<UpstreamResponse> {
	let refused = false;
	try {
		const { status } = await response;
		refused = status >= 400 && status < 500;
		return response;
	} finally {
		if (!refused) for (const collection of changed) store.invalidate(collection);
	}
}

async function bypassing(lookup: Lookup, forward: Forward): Promise<UpstreamResponse> {
	const { call, request, stored } = lookup;
	const replacement = (status: string): UpstreamResponse | undefined => {
		if (stored === undefined || call.signal.aborted || !mayReplaceFailure(stored, request)) return undefined;
		return respond(lookup, stored, 'stale', `fwd=bypass${status}; detail=stale-if-error`);
	};
	let response: UpstreamResponse;
	try {
		response = await forward(call);
	} catch (error) {
		const replaced = replacement('');
		if (replaced === undefined) throw error;
		return replaced;
	}
	const replaced = isFailure(response.status) ? replacement(`; fwd-status=${response.status}`) : undefined;
	if (replaced === undefined) return passed(lookup, response, 'bypass', 'fwd=bypass');
	response.body.destroy();
	return replaced;
}

async function served(
	lookup: Lookup,
	{ fetches, forward }: { fetches: SharedFetches; forward: Forward },
): Promise<UpstreamResponse> {
	const { cache, call, request, stored } = lookup;
	const evaluated = stored?.policy.evaluateRequest(request);
	if (stored !== undefined && evaluated?.response !== undefined) {
		const { revalidation } = evaluated;
		if (revalidation !== undefined) fetches.refresh(call, request, stored); // e
		return respond(lookup, stored, revalidation === undefined ? 'hit' : 'stale', 'hit'); // d
	}
	const sinceMs = cache.now().getTime() - (stored?.failedAt ?? Number.NEGATIVE_INFINITY);
	// Less than 0 if the clock was set back.
	const isRecent = sinceMs >= 0 && sinceMs < recentFailureMs;
	if (stored !== undefined && isRecent && mayReplaceFailure(stored, request)) {
		if (sinceMs >= retryAfterFailureMs) fetches.refresh(call, request, stored);
		return respond(lookup, stored, 'stale', 'hit; detail=stale-if-error');
	}
	if (acceptsOnlyStored(call)) return notStored(call);
	const fetched = await fetches.fetch(call, request, stored); // f
	const reason = forwardReason(stored);
	if (fetched === undefined) return passed(lookup, await forward(call), 'miss', reason);
	if (fetched.stored === undefined) {
		const forwarded = `${reason}; fwd-status=${fetched.response.status}`;
		return passed(
			lookup,
			await unlessKnown(fetched.response, call.req.headers['if-none-match']),
			'miss',
			forwarded,
		);
	}
	return respond(lookup, fetched.stored, resultOf(fetched, stored), `${reason}${detailsOf(fetched, stored)}`);
}

function forwardReason(stored: StoredResponse | undefined): string {
	if (stored === undefined) return 'fwd=uri-miss';
	return stored.policy.stale() ? 'fwd=stale' : 'fwd=request';
}

function resultOf(fetched: SharedFetch, known: StoredResponse | undefined): CacheResult {
	if (fetched.stored === known) return 'stale';
	if (fetched.collapsed) return 'collapsed';
	return known === undefined || fetched.stored?.body !== known.body ? 'miss' : 'revalidated';
}

/** The parameters of `Cache-Status` (RFC 9211). */
function detailsOf(
	{ stored, status, collapsed }: SharedFetch & { stored: StoredResponse },
	known: StoredResponse | undefined,
): string {
	return [
		status === 0 ? '' : `; fwd-status=${status}`,
		collapsed ? '; collapsed' : '',
		stored === known ? '; detail=stale-if-error' : '; stored',
	].join('');
}

function respond(
	{ cache, call }: Lookup,
	stored: StoredResponse,
	result: CacheResult,
	status: string,
): UpstreamResponse {
	cache.onResult(result);
	call.exchange.cache = result;
	const ttl = Math.floor(stored.policy.maxAge() - stored.policy.age());
	return responseFrom(stored, {
		method: call.method,
		ifNoneMatch: call.req.headers['if-none-match'],
		cacheStatus: `Paddock; ${status}; ttl=${ttl}`,
		isConfirmed: result === 'miss' || result === 'revalidated',
	});
}

/** A response of the service for this request alone. */
function passed(
	{ cache, call }: Lookup,
	response: UpstreamResponse,
	result: CacheResult,
	status: string,
): UpstreamResponse {
	cache.onResult(result);
	call.exchange.cache = result;
	response.headers['cache-status'] = `Paddock; ${status}`;
	return response;
}

interface CacheablePaths {
	/** The cached collection of a path, e.g. `/api/masterdata/countries`, which each write invalidates as a whole. */
	collectionOf(route: string): string | undefined;
	/** The query parameters that a declared path reads, if it ignores all others; else undefined. */
	parametersOf(route: string): ReadonlySet<string> | undefined;
	collections(): Iterable<string>;
	/** The collections that a write to an address may have changed. */
	changedBy(context: Context | undefined, path: string): readonly string[];
}

const none: readonly string[] = [];

/** Compiles `cachedPaths` of the contexts. All other responses bypass the cache. */
export function createCacheablePaths(contexts: readonly Context[]): CacheablePaths {
	const collections = new Map<string, string>();
	const parameters = new Map<string, ReadonlySet<string>>();
	// By name, as a request may have begun before its context was replaced.
	const byContext = new Map<string | undefined, ReadonlySet<string>>();
	for (const context of contexts) {
		const own = context.cachedPaths.map((path) => [path, collectionAt(context, path)] as const);
		for (const [path, collection] of own) collections.set(path, collection);
		for (const [path, names] of Object.entries(context.cachedParameters))
			parameters.set(path, new Set(names));
		if (own.length > 0) byContext.set(context.name, new Set(own.map(([, collection]) => collection)));
	}
	return {
		collections: () => new Set(collections.values()),
		collectionOf: (route) => collections.get(route),
		parametersOf: (route) => parameters.get(route),
		changedBy: (context, path) => {
			const own = byContext.get(context?.name);
			if (own === undefined) return none;
			return [...own].filter((each) => path === each || path.startsWith(`${each}/`));
		},
	};
}

/** One segment below the prefix of the context, or less if that one is a parameter. */
function collectionAt({ prefix }: Context, path: string): string {
	const segments = path.split('/');
	const parameter = segments.findIndex((segment) => segment.startsWith('{'));
	const depth = prefix.split('/').length + 1;
	return segments.slice(0, parameter === -1 ? depth : Math.min(depth, parameter)).join('/');
}
