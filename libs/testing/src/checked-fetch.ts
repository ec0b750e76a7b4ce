import type { OpenapiCheck } from './openapi-check.ts';

/**
 * A fetch that holds every answer from a documented address against openapi.yaml and rejects when it isn't one of those
 * described there. Addresses that aren't documented (Consul's, a service's own health) are left alone.
 */
export function checkedFetch(fetch: typeof globalThis.fetch, check: OpenapiCheck): typeof globalThis.fetch {
	return async (input, init) => {
		const answer = await fetch(input, init);
		const url = new URL(input instanceof Request ? input.url : String(input));
		if (!check.knows(url.pathname)) return answer;
		const contentType = answer.headers.get('Content-Type');
		// Only JSON is compared; a stream of events would never come to its end.
		const text = /json/.test(contentType ?? '') ? await answer.clone().text() : '';
		const json: unknown = text === '' ? undefined : JSON.parse(text);
		const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
		check({ method, path: url.pathname, status: answer.status, contentType, json });
		return answer;
	};
}
