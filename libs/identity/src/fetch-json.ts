import type { Agent } from 'node:http';
import axios from 'axios';

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
