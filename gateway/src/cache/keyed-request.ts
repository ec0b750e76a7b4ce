import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';

export interface KeyedRequest {
	readonly method: 'GET';
	/** Path and query, as forwarded. */
	readonly url: string;
	readonly collection: string;
	readonly headers: KeyedHeaders;
}

type KeyedHeaders = Pick<IncomingHttpHeaders, 'accept' | 'accept-encoding' | 'cache-control' | 'pragma'>;

/** The only client headers that are forwarded with a request whose response may be stored, against cache poisoning. */
export const keyHeaders = ['accept', 'accept-encoding'] as const;

// Preconditions on the current state, which only the service knows.
const preconditions = ['if-match', 'if-unmodified-since', 'if-range'] as const;

/** Whether the cache must neither serve nor store the response, although its route is public. */
export function mustBypass(headers: IncomingHttpHeaders): boolean {
	if (headers.authorization !== undefined) return true;
	if (/\bno-store\b/i.test(headers['cache-control'] ?? '')) return true;
	return preconditions.some((name) => headers[name] !== undefined);
}

export function keyedRequest(url: string, collection: string, headers: IncomingHttpHeaders): KeyedRequest {
	const keyed: KeyedHeaders = {};
	for (const name of [...keyHeaders, 'cache-control', 'pragma'] as const) {
		const value = headers[name];
		if (value !== undefined) keyed[name] = name === 'accept-encoding' ? usualCoding(value) : value;
	}
	return { method: 'GET', url, collection, headers: keyed };
}

/** The address with only those of its query parameters, unchanged and in their order. */
export function withParameters(url: string, names: ReadonlySet<string>): string {
	const start = url.indexOf('?');
	if (start === -1) return url;
	const pairs = url.slice(start + 1).split('&');
	const read = pairs.filter((pair) => names.has(decodedName(pair.split('=', 1)[0] ?? '')));
	return read.length === 0 ? url.slice(0, start) : `${url.slice(0, start)}?${read.join('&')}`;
}

/** As the services decode it; one that cannot be decoded is the name of no parameter. */
function decodedName(raw: string): string {
	try {
		return decodeURIComponent(raw.replaceAll('+', ' '));
	} catch {
		return '';
	}
}

/** Clients list gzip among many codings; services use gzip only, so all of these get the same stored response. */
function usualCoding(acceptEncoding: string): string {
	return /(?:^|[\s,])(?:gzip|\*)(?:[\s,]|$)/i.test(acceptEncoding) && !acceptEncoding.includes(';')
		? 'gzip'
		: acceptEncoding;
}

/** Requests with the same text get the same response if nothing changes in between. */
export function keyText({ url, headers }: KeyedRequest): string {
	return [url, ...keyHeaders.map((name) => headers[name] ?? '')].join('\n');
}

export function forwardedKeys({ headers }: KeyedRequest, etag: string | undefined): IncomingHttpHeaders {
	// A response that is stored must not come from a read replica: it would outlive the lag by its freshness.
	const forwarded: IncomingHttpHeaders = { 'cache-control': 'no-cache' };
	for (const name of keyHeaders) {
		const value = headers[name];
		if (value !== undefined) forwarded[name] = value;
	}
	if (etag !== undefined) forwarded['if-none-match'] = etag;
	return forwarded;
}

/** Whether the client accepts a media type. Services refuse with 406 without naming `Accept` in `Vary`. */
export function acceptsType(accept: string | undefined, contentType: string | undefined): boolean {
	if (accept === undefined || accept === '*/*' || contentType === undefined) return true;
	return new Negotiator({ headers: { accept } }).mediaType([contentType]) !== undefined;
}
