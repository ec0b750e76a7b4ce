import { Agent } from 'node:http';
import type { LookupFunction } from 'node:net';
import axios from 'axios';
import { type RevocationPage, readRevocationPage } from './revocation-page.ts';

export interface FetchRevocationsDeps {
	/** The current base addresses of the auth context's instances. */
	readonly instanceUrls: () => readonly string[];
	/** Resolves an instance's name; defaults to Node's `dns.lookup`. */
	readonly lookup?: LookupFunction;
}

/**
 * Fetches the page after a cursor; without a cursor, all stored entries. With a cursor the response waits up to
 * `waitMs` for a first entry.
 */
export type FetchRevocations = (
	request: { readonly after: string | undefined; readonly waitMs: number },
	signal: AbortSignal,
) => Promise<RevocationPage>;

const pageBytesMax = 1_048_576;

/**
 * Creates the fetch of `/internal/revocations`. It uses one instance as long as that succeeds: alternating would wait
 * for a hanging instance every other time. The fetch rejects if no instance is known or the response isn't a page.
 */
export function fetchRevocationsFrom({ instanceUrls, lookup }: FetchRevocationsDeps): FetchRevocations {
	const httpAgent = new Agent(lookup === undefined ? {} : { lookup });
	let at = 0;
	return async ({ after, waitMs }, signal) => {
		const urls = instanceUrls();
		const url = urls[at % urls.length];
		if (url === undefined) throw new Error('No instance is known that publishes revocations.');
		try {
			const response = await axios.get<unknown>(new URL('/internal/revocations', url).href, {
				params: after === undefined ? {} : { after, waitMs },
				httpAgent,
				signal,
				headers: { Accept: 'application/json' },
				maxRedirects: 0,
				maxContentLength: pageBytesMax,
				validateStatus: (status) => status === 200,
				// An HTTP_PROXY in the environment must not become the source of revocations.
				proxy: false,
				responseType: 'json',
				// Otherwise axios returns unparsable JSON as text.
				transitional: { silentJSONParsing: false },
			});
			return readRevocationPage(response.data);
		} catch (error) {
			at += 1;
			throw error;
		}
	};
}
