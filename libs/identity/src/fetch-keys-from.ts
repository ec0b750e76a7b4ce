import { Agent } from 'node:http';
import axios from 'axios';

interface FetchKeysDeps {
	readonly instanceUrls: () => readonly string[];
	/** Time-out for one instance; leaves time for the next one. */
	readonly timeoutMs?: number;
	readonly agent?: Agent;
}

const bytesMax = 65_536;

/** Begins each fetch with another instance. It rejects when no instance is known (Error) or none responds (AggregateError). */
export function fetchKeysFrom(deps: FetchKeysDeps): (signal: AbortSignal) => Promise<unknown> {
	const { instanceUrls, timeoutMs = 800, agent: httpAgent = new Agent() } = deps;
	let turn = 0;
	return async (signal) => {
		const urls = instanceUrls();
		if (urls.length === 0) throw new Error('No instance is known that publishes the token keys.');
		const first = turn++ % urls.length;
		const errors: unknown[] = [];
		for (const url of [...urls.slice(first), ...urls.slice(0, first)]) {
			signal.throwIfAborted();
			try {
				return await fetchJson(new URL('/.well-known/jwks.json', url), {
					accept: 'application/jwk-set+json, application/json',
					bytesMax,
					httpAgent,
					timeoutMs,
					signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
				});
			} catch (error) {
				errors.push(error);
			}
		}
		throw new AggregateError(errors, `No instance gave its token keys: ${errors.map(String).join('; ')}`);
	};
}

/** Fetches a JSON document of the auth context; rejects for any status other than 200. */
export async function fetchJson(
	url: URL,
	options: {
		readonly accept: string;
		readonly bytesMax: number;
		readonly httpAgent: Agent;
		/** When the caller stops waiting; a query that hangs would otherwise occupy a database connection for longer. */
		readonly timeoutMs: number;
		readonly signal: AbortSignal;
	},
): Promise<unknown> {
	const { accept, bytesMax, httpAgent, timeoutMs, signal } = options;
	const response = await axios.get<unknown>(url.href, {
		httpAgent,
		signal,
		headers: { Accept: accept, 'X-Request-Deadline-Ms': String(timeoutMs) },
		maxRedirects: 0,
		maxContentLength: bytesMax,
		validateStatus: (status) => status === 200,
		// An HTTP_PROXY in the environment must not become the source of keys or revocations.
		proxy: false,
		responseType: 'json',
		// Otherwise axios returns unparsable JSON as text.
		transitional: { silentJSONParsing: false },
	});
	return response.data;
}
