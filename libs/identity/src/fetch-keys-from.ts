import { Agent } from 'node:http';
import type { LookupFunction } from 'node:net';
import axios from 'axios';

export interface FetchKeysDeps {
	/** The current base addresses of the auth context's instances. */
	readonly instanceUrls: () => readonly string[];
	/**
	 * Time-out for one instance; shorter than that of the whole fetch, so that a hanging instance leaves time for the
	 * next.
	 */
	readonly timeoutMs?: number;
	/** Resolves an instance's name; defaults to Node's `dns.lookup`. */
	readonly lookup?: LookupFunction;
}

const answerBytesMax = 65_536;

/**
 * Creates the fetch of `/.well-known/jwks.json`: tries the instances one after the other until one responds. Each fetch
 * starts with another instance, so that one with a broken response isn't always used.
 * The fetch rejects when no instance is known (Error) or none responds (AggregateError).
 */
export function fetchKeysFrom(deps: FetchKeysDeps): (signal: AbortSignal) => Promise<unknown> {
	const { instanceUrls, timeoutMs = 800, lookup } = deps;
	const agent = new Agent(lookup === undefined ? {} : { lookup });
	let turn = 0;
	return async (signal) => {
		const urls = instanceUrls();
		if (urls.length === 0) throw new Error('No instance is known that publishes the token keys.');
		const first = turn++ % urls.length;
		const errors: unknown[] = [];
		for (const url of [...urls.slice(first), ...urls.slice(0, first)]) {
			signal.throwIfAborted();
			try {
				return await fetchOnce(url, agent, timeoutMs, signal);
			} catch (error) {
				errors.push(error);
			}
		}
		throw new AggregateError(errors, `No instance gave its token keys: ${errors.map(String).join('; ')}`);
	};
}

async function fetchOnce(
	instanceUrl: string,
	httpAgent: Agent,
	timeoutMs: number,
	signal: AbortSignal,
): Promise<unknown> {
	const response = await axios.get<unknown>(new URL('/.well-known/jwks.json', instanceUrl).href, {
		httpAgent,
		signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
		headers: { Accept: 'application/jwk-set+json, application/json' },
		maxRedirects: 0,
		maxContentLength: answerBytesMax,
		validateStatus: (status) => status === 200,
		// An HTTP_PROXY in the environment must not become the source of our keys.
		proxy: false,
		responseType: 'json',
		// Otherwise axios returns unparsable JSON as text.
		transitional: { silentJSONParsing: false },
	});
	return response.data;
}
