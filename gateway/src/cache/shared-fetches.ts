import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '../proxy/attempt.ts';
import { type FetchDeps, type Fetched, fetchResponse } from './fetch-response.ts';
import { type KeyedRequest, keyText } from './keyed-request.ts';
import { mayReplaceFailure, type StoredResponse } from './stored-response.ts';

export type SharedFetches = ReturnType<typeof createSharedFetches>;

/** `collapsed`: another request fetched it. */
export type SharedFetch = Fetched & { readonly collapsed: boolean };

/** Followers wait for this share of the response timeout, and then call the service themselves. */
const patience = 1 / 4;

/** Fetches each response once at a time: otherwise each expiry would send all clients to the service at once. */
export function createSharedFetches(deps: FetchDeps & { now: () => Date }) {
	/** Each resolves at the end of its fetch, or when followers have waited long enough; the next request then begins another. */
	const flights = new Map<string, Promise<Fetched | undefined>>();
	const keyOf = (request: KeyedRequest): string =>
		// A request after a write must not get the response from before it.
		`${deps.store.generation(request.collection)} ${keyText(request)}`;
	const begin = (
		key: string,
		call: Call,
		request: KeyedRequest,
		known: StoredResponse | undefined,
	): Promise<Fetched> => {
		const fetched = fetchOrReplace(deps, call, request, known);
		const ended = new AbortController();
		const waited = wait(patience * call.responseTimeoutMs, undefined, ended);
		// The caller of `begin` gets the error; followers then call the service themselves.
		const forFollowers = Promise.race([fetched, waited]).catch(() => undefined);
		flights.set(key, forFollowers);
		void forFollowers.then(() => {
			flights.delete(key);
			ended.abort();
		});
		return fetched;
	};
	return {
		/** Fetches a response, or waits for a request that does. Undefined if that yields nothing to share, or not in time. */
		fetch: async (
			call: Call,
			request: KeyedRequest,
			known: StoredResponse | undefined,
		): Promise<SharedFetch | undefined> => {
			const key = keyOf(request);
			const flight = flights.get(key);
			if (flight === undefined) return { ...(await begin(key, call, request, known)), collapsed: false };
			const fetched = await flight;
			return fetched?.stored === undefined ? undefined : { ...fetched, collapsed: true };
		},
		refresh: (call: Call, request: KeyedRequest, known: StoredResponse): void => {
			const key = keyOf(request);
			if (flights.has(key)) return;
			begin(key, inBackground(call), request, known).then(
				({ response }) => response?.body.destroy(),
				// `fetchOrReplace` has recorded the failure, and the attempts have counted it.
				() => undefined,
			);
		},
	};
}

/** With the stored response in place of a failure, if that is permitted. */
async function fetchOrReplace(
	deps: FetchDeps & { now: () => Date },
	call: Call,
	request: KeyedRequest,
	known: StoredResponse | undefined,
): Promise<Fetched> {
	const replace = (status: number): Fetched | undefined => {
		if (known === undefined) return undefined;
		known.failedAt = deps.now().getTime();
		return mayReplaceFailure(known, request) ? { stored: known, status } : undefined;
	};
	let fetched: Fetched;
	try {
		fetched = await fetchResponse(deps, call, request, known);
	} catch (error) {
		const replacement = replace(0);
		if (replacement === undefined) throw error;
		return replacement;
	}
	const { response } = fetched;
	if (response === undefined || !isFailure(response.status)) return fetched;
	const replacement = replace(response.status);
	if (replacement === undefined) return fetched;
	response.body.destroy();
	return replacement;
}

/** The statuses of RFC 5861 §4. */
export function isFailure(status: number): boolean {
	return status === 500 || status === 502 || status === 503 || status === 504;
}

/** The request that caused it is logged without the attempts in the background. */
function inBackground(call: Call): Call {
	const deadlineAt = performance.now() + call.deadlineAt - call.exchange.receivedAt;
	return { ...call, deadlineAt, exchange: { ...call.exchange } };
}
