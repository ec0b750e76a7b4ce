import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Client } from '@paddock/service';
import { type TraceContext, traceparentOf } from '@paddock/telemetry';
import type { Context } from '../contexts/context.ts';
import { removed, removedFromResponse, replaced, reservedPrefix } from '../contexts/header-rules.ts';

// A name in Connection must not remove these: the message would lose its framing.
const framing: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding', 'content-type']);

const isRemoved = (name: string): boolean =>
	removed.has(name) || (name.startsWith('x') && reservedPrefix.test(name));

/** Removes in place the headers that a caller must not send, including those that `Connection` names. */
export function removeRequestHeaders(headers: IncomingHttpHeaders): void {
	for (const name of connectionNamed(headers)) if (!framing.has(name)) delete headers[name];
	// A lookup is cheap; a deletion turns the object into a dictionary.
	for (const name in headers) {
		if (isRemoved(name) || isOtherSpelling(name)) delete headers[name];
	}
}

// CGI and WSGI know headers as names of variables: `X_HTTP_Method_Override` is the same as with hyphens there.
function isOtherSpelling(name: string): boolean {
	if (!/[^a-z\d-]/.test(name)) return false;
	const usual = name.replaceAll(/[^a-z\d]/g, '-');
	return removed.has(usual) || replaced.has(usual) || framing.has(usual);
}

interface ForwardedRequest {
	readonly requestId: string;
	readonly client: Client;
	readonly body: { readonly bytes: Buffer } | undefined;
	readonly principal: { readonly userId: string; readonly roles: readonly string[] } | undefined;
	readonly context: Pick<Context, 'attached'> | undefined;
}

interface ForwardedHeadersOptions {
	/** Trace of the attempt, or of the request if it is not recorded. */
	readonly trace: TraceContext;
	/** host:port of the instance. */
	readonly authority: string;
	/** Milliseconds that the service has. */
	readonly deadlineMs: number;
}

/** The headers of the request to a service: the caller's end-to-end headers, then the gateway's own. */
export function forwardedHeaders(
	req: Pick<IncomingMessage, 'headers'>,
	{ requestId, client, body, principal, context }: ForwardedRequest,
	{ trace, authority, deadlineMs }: ForwardedHeadersOptions,
): OutgoingHttpHeaders {
	const headers: OutgoingHttpHeaders = {};
	for (const name in req.headers) if (!replaced.has(name)) headers[name] = req.headers[name];
	// The body has been read, so its length is known, whatever the client's framing was.
	if (body !== undefined) headers['content-length'] = String(body.bytes.length);
	headers['host'] = authority;
	headers['x-forwarded-for'] = client.address;
	headers['x-forwarded-host'] = client.host ?? req.headers.host ?? '';
	headers['x-forwarded-proto'] = client.protocol;
	headers['x-request-id'] = requestId;
	headers['traceparent'] = traceparentOf(trace);
	headers['x-request-deadline-ms'] = String(deadlineMs);
	// A compressed body can't be put into the envelope.
	if (context?.attached?.wrapsResponses === true) headers['accept-encoding'] = 'identity';
	if (context?.attached?.identityHeaders === true) {
		// A service that trusts the gateway's word has no use for the token, and could act for the user with it.
		delete headers['authorization'];
		if (principal !== undefined) {
			headers['x-user-id'] = principal.userId;
			headers['x-user-roles'] = principal.roles.join(',');
		}
	}
	return headers;
}

export interface FixedHeaders {
	/** Name, value, name, value … */
	readonly list: readonly string[];
	readonly names: ReadonlySet<string>;
}

/** The headers that the gateway adds to a response, collected so that a relayed response is written in one call. */
export class GatewayHeaders {
	/** Name, value, name, value … */
	readonly #list: string[] = [];
	readonly #names: string[] = [];
	readonly #fixed: FixedHeaders;
	#res: ServerResponse | undefined;

	/** @param fixed by reference, instead of one by one for each request */
	constructor(fixed: FixedHeaders) {
		this.#fixed = fixed;
	}

	/** To be called once for a name. */
	add(name: string, value: string): void {
		if (this.#res !== undefined) {
			this.#res.setHeader(name, value);
			return;
		}
		this.#list.push(name, value);
		this.#names.push(name.toLowerCase());
	}

	/** @param name in lower case */
	has(name: string): boolean {
		return this.#fixed.names.has(name) || this.#names.includes(name);
	}

	/** Name, value, name, value … */
	list(): string[] {
		return [...this.#list, ...this.#fixed.list];
	}

	/** Sets them; later ones are set at once. */
	setOn(res: ServerResponse): void {
		if (this.#res !== undefined) return;
		this.#res = res;
		const list = this.list();
		for (let at = 0; at < list.length; at += 2) res.setHeader(list[at] as string, list[at + 1] as string);
	}
}

/** The headers of a relayed response, as the one list that Node writes as it is: the gateway's own, then the service's. */
export function relayedHeaders(
	res: ServerResponse,
	{ status, headers }: { readonly status: number; readonly headers: IncomingHttpHeaders },
	own: GatewayHeaders,
): string[] {
	const list = own.list();
	const named = connectionNamed(headers);
	for (const name in headers) {
		const value = headers[name];
		if (value === undefined || removedFromResponse.has(name) || own.has(name) || named.includes(name))
			continue;
		// RFC 9110 §8.6: a 204 has no length, not even 0.
		if (status === 204 && name === 'content-length') continue;
		if (Array.isArray(value)) for (const each of value) list.push(name, each);
		else if (name === 'vary') list.push(name, [res.getHeader(name) ?? [], value].flat().join(', '));
		else list.push(name, value);
	}
	for (const header of upgradeRequired(status, headers)) list.push(...header);
	return list;
}

/** A cookie of the gateway's own pages. */
const ownCookie = /^\s*paddock\./i;

/**
 * Of the response of an attached service: as a page it has an origin of its own and no scripts, which could otherwise read the tokens of
 * a user who is signed in to the gateway's pages. A PDF file is left, as browsers show none in such a page.
 */
export function withoutOrigin(list: readonly string[]): string[] {
	const pairs = Array.from({ length: list.length / 2 }, (_, at) => list.slice(2 * at, 2 * at + 2));
	const type = pairs.find(([name]) => name?.toLowerCase() === 'content-type')?.[1] ?? '';
	const isPdf = /^\s*application\/pdf\s*(?:;|$)/i.test(type);
	return pairs.flatMap(([name = '', value = '']) => {
		const lower = name.toLowerCase();
		if (lower === 'set-cookie' && ownCookie.test(value)) return [];
		if (lower === 'content-security-policy' && !isPdf) return [name, `${value};sandbox`];
		return [name, value];
	});
}

/** RFC 9110 §15.5.22: a 426 names the protocols; this server speaks none of them, so its connection need not be kept. */
export function upgradeRequired(
	status: number,
	{ upgrade }: IncomingHttpHeaders,
): readonly [string, string][] {
	if (status !== 426 || upgrade === undefined) return [];
	return [
		['Upgrade', upgrade],
		['Connection', 'Upgrade, close'],
	];
}

const none: readonly string[] = [];

function connectionNamed({ connection }: IncomingHttpHeaders): readonly string[] {
	if (connection === undefined || connection === 'keep-alive' || connection === 'close') return none;
	return connection.split(',').map((token) => token.trim().toLowerCase());
}

// https://nodejs.org/api/http.html#messageheaders: of these Node keeps the first.
const keptOnce = /^(?:age|content-type|etag|expires|last-modified|location|retry-after|server)$/;

/** Repeated headers are arrays with undici; this makes of them in place what Node's client does. */
export function joinRepeatedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
	for (const name in headers) {
		const value = headers[name];
		if (Array.isArray(value) && name !== 'set-cookie')
			headers[name] = keptOnce.test(name) ? value[0] : value.join(', ');
		else if (name === 'set-cookie' && typeof value === 'string') headers[name] = [value];
	}
	return headers;
}
