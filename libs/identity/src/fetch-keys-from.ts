import { Agent } from 'node:http';
import type { LookupFunction } from 'node:net';
import axios from 'axios';

export interface FetchKeysDeps {
	/** The base addresses of the auth context's instances at this moment. */
	readonly instanceUrls: () => readonly string[];
	/** For one instance; below the whole fetch's, so that a hanging instance leaves time for the next. */
	readonly timeoutMs?: number;
	/** Resolves an instance's name; Node's own way unless given. */
	readonly lookup?: LookupFunction;
}

const answerBytesMax = 65_536;

/**
 * Makes the fetch of `/.well-known/jwks.json`: asks the instances one after the other until one answers, and begins
 * with another one each time, so that an instance with a broken answer isn't the only one ever asked.
 * The fetch rejects when no instance is known (Error) or none answers (AggregateError).
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
		// An HTTP_PROXY of the environment must not become the source of our keys.
		proxy: false,
		responseType: 'json',
		// Otherwise axios hands over as text what it can't parse.
		transitional: { silentJSONParsing: false },
	});
	return response.data;
}
