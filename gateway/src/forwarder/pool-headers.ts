import type { IncomingHttpHeaders } from 'node:http';

// https://nodejs.org/api/http.html#messageheaders: of these Node keeps the first, of all others it makes one value.
const keptOnce: ReadonlySet<string> = new Set([
	'age',
	'content-type',
	'etag',
	'expires',
	'last-modified',
	'location',
	'retry-after',
	'server',
]);

/** Headers that came more than once are lists with undici; here they become what Node makes of them, in place. */
export function likeNodeHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
	for (const name in headers) {
		const value = headers[name];
		if (Array.isArray(value) && name !== 'set-cookie')
			headers[name] = keptOnce.has(name) ? value[0] : value.join(', ');
		else if (name === 'set-cookie' && typeof value === 'string') headers[name] = [value];
	}
	return headers;
}
