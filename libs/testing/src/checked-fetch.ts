import type { OpenapiCheck } from './openapi-check.ts';

/**
 * A fetch that validates every response of a documented path against openapi.yaml and rejects if it doesn't match.
 * Undocumented paths (Consul, the health of a service) are not checked.
 */
export function checkedFetch(fetch: typeof globalThis.fetch, check: OpenapiCheck): typeof globalThis.fetch {
	return async (input, init) => {
		const response = await fetch(input, init);
		const url = new URL(input instanceof Request ? input.url : String(input));
		// At this path a service has its own health, and the gateway a redirect.
		if (url.pathname === '/health' || !check.knows(url.pathname)) return response;
		const contentType = response.headers.get('Content-Type');
		// Only JSON is validated; an event stream doesn't end.
		const text = /json/.test(contentType ?? '') ? await response.clone().text() : '';
		const json: unknown = text === '' ? undefined : JSON.parse(text);
		const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
		check({ method, path: url.pathname, status: response.status, contentType, json });
		return response;
	};
}
