import type { IncomingHttpHeaders } from 'node:http';
import { noneMatch } from '@paddock/service';
import CachePolicy from 'http-cache-semantics';
import type { UpstreamResponse } from '../forwarder/forwarder.ts';
import { WholeBody } from '../forwarder/whole-body.ts';
import { type KeyedRequest, keyHeaders } from './keyed-request.ts';

export interface StoredResponse {
	/** Freshness by RFC 9111. */
	readonly policy: CachePolicy;
	readonly etag: string | undefined;
	readonly contentType: string | undefined;
	readonly body: Buffer;
	readonly varying: readonly (readonly [name: (typeof keyHeaders)[number], value: string | undefined])[];
	/** Counts the changes of its collection before it was requested. */
	readonly generation: number;
	/** When the service last failed to confirm it, in milliseconds; undefined if it never failed. */
	failedAt: number | undefined;
}

export type CreatePolicy = (request: KeyedRequest, response: UpstreamResponse) => CachePolicy;

export function policiesBy(now: () => Date): CreatePolicy {
	class Policy extends CachePolicy {
		// The package reads its clock from this method.
		now(): number {
			return now().getTime();
		}
	}
	return (request, { status, headers }) => new Policy(request, { status, headers });
}

/** Whether a response may be stored: `public`, of a known and small length, and of no client. Stricter than RFC 9111 §3. */
export function isStorable(
	policy: CachePolicy,
	{ status, headers }: UpstreamResponse,
	bytesMax: number,
): boolean {
	return (
		status === 200 &&
		/(?:^|,)\s*public\s*(?:,|$)/i.test(headers['cache-control'] ?? '') &&
		headers['set-cookie'] === undefined &&
		headers['content-range'] === undefined &&
		Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= bytesMax &&
		variedBy(headers) !== undefined &&
		policy.storable() &&
		policy.timeToLive() > 0
	);
}

/** The names in `Vary`; undefined if one of them is not forwarded, because the response would be the same for all of its values. */
export function variedBy({ vary }: IncomingHttpHeaders): (typeof keyHeaders)[number][] | undefined {
	const names = (vary ?? '')
		.toLowerCase()
		.split(',')
		.flatMap((name) => name.trim() || []);
	const keys = keyHeaders.filter((name) => names.includes(name));
	return keys.length === new Set(names).size ? keys : undefined;
}

export function matchesRequest({ varying }: StoredResponse, { headers }: KeyedRequest): boolean {
	return varying.every(([name, value]) => headers[name] === value);
}

const unavailable = { status: 503, headers: {} };

/** Whether it may be used in place of a failure (RFC 5861 §4). */
export function mayReplaceFailure({ policy }: StoredResponse, request: KeyedRequest): boolean {
	return policy.revalidatedPolicy(request, unavailable).policy === policy;
}

/** The response to a client: 304 if it has it already, without a body for HEAD. `Age` is for those not confirmed now. */
export function responseFrom(
	{ policy, etag, body }: StoredResponse,
	client: {
		readonly method: string;
		readonly ifNoneMatch: string | undefined;
		readonly cacheStatus: string;
		/** By the service, for this request. */
		readonly isConfirmed: boolean;
	},
): UpstreamResponse {
	const headers: IncomingHttpHeaders = policy.responseHeaders() as IncomingHttpHeaders;
	headers['cache-status'] = client.cacheStatus;
	if (client.isConfirmed) delete headers.age;
	if (etag !== undefined && !noneMatch(client.ifNoneMatch, etag)) return notModified(headers);
	return { status: 200, headers, body: new WholeBody(client.method === 'HEAD' ? undefined : body) };
}

export function notModified(headers: IncomingHttpHeaders): UpstreamResponse {
	for (const name of ['content-length', 'content-type', 'content-encoding', 'content-disposition'])
		delete headers[name];
	return { status: 304, headers, body: new WholeBody(undefined) };
}
