import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { fail } from '@paddock/contract';
import { framingFault } from '@paddock/service';
import { exchangeOf } from '../exchange.ts';
import type { Step } from '../pipeline.ts';
import { isAmbiguousPath } from './ambiguous-path.ts';

// RFC 9110 §7.6.1 and the fields that proxies have invented: they speak of one connection, not of the request.
const hopByHop: readonly string[] = [
	'connection',
	'proxy-connection',
	'keep-alive',
	'te',
	'trailer',
	'upgrade',
	'http2-settings',
	'proxy-authenticate',
	'proxy-authentication-info',
	'proxy-authorization',
	'expect',
];

// What only we may say to a service, and what some frameworks would obey.
const reserved: readonly string[] = [
	'x-original-url',
	'x-rewrite-url',
	'x-original-host',
	'x-http-method',
	'x-http-method-override',
	'x-method-override',
	'x-request-deadline-ms',
	'x-real-ip',
	'x-client-ip',
	'x-cluster-client-ip',
	'true-client-ip',
	'x-forwarded',
	'x-remote-user',
	'x-client-cert',
];
// Some servers take `_` for `-`. X-Forwarded-* beyond those that we set ourselves, e.g. -User, -Email, -Uri, speak of
// the caller's identity or address, too.
const reservedPrefix = /^(?!x-forwarded-(?:for|host|proto)$)x[-_](?:user|auth|internal|forwarded[-_])/;

const stripped: ReadonlySet<string> = new Set([...hopByHop, ...reserved]);

// They frame the message. Naming one of them in Connection must not take it away: the body would lose its end.
const framing: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding', 'content-type']);

/** What may be asked for. */
export const methods: ReadonlySet<string> = new Set([
	'GET',
	'HEAD',
	'POST',
	'PUT',
	'PATCH',
	'DELETE',
	'OPTIONS',
]);
const allow = [...methods].join(', ');

// RFC 9110 §7.2: a name or an address, and a port. What else it may hold makes other links out of ours.
const hostFormat = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/**
 * Refuses what can be read in two ways and deletes what a caller must not say, before any other step looks at it:
 * a path that one hop normalises and another doesn't is how guards on prefixes are passed.
 */
export function requestHygiene(): Step {
	return function requestHygiene(req): undefined {
		if (!methods.has(req.method ?? '')) throw fail('METHOD_NOT_ALLOWED', { headers: { Allow: allow } });
		refuseOtherVersions(req);
		refuseAmbiguousHost(req);
		refuseAmbiguousFraming(req);
		// RFC 9112 §3.2: a request target has no fragment; who honours one cuts the query, who doesn't passes it on.
		if (isAmbiguousPath(exchangeOf(req).path) || req.url?.includes('#')) throw fail('AMBIGUOUS_PATH');
		refuseUnknownExpectation(req);
		// h2c is an offer that RFC 9110 §7.8 lets us ignore; whoever asks for a WebSocket waits for an answer.
		const upgrade = req.headers.upgrade;
		if (upgrade !== undefined && !/^h2c$/i.test(upgrade)) throw fail('UPGRADE_NOT_SUPPORTED');
		stripHeaders(req.headers);
	};
}

// The parser lets `HTTP/2.0` and `HTTP/0.9` through and reads them as 1.1.
function refuseOtherVersions(req: IncomingMessage): void {
	if (req.httpVersion !== '1.1' && req.httpVersion !== '1.0') {
		throw fail('MALFORMED_REQUEST', { message: 'Only HTTP/1.1 and HTTP/1.0 are spoken here.' });
	}
}

// RFC 9112 §3.2: 400 for more than one, for an invalid one, and for none where the version demands it.
function refuseAmbiguousHost(req: IncomingMessage): void {
	const count = countOf(req.rawHeaders, 'host');
	if (count === 0 && req.httpVersion === '1.0') return;
	if (count !== 1 || !hostFormat.test(req.headers.host ?? '')) {
		throw fail('MALFORMED_REQUEST', { message: 'Exactly one valid Host header is required.' });
	}
}

function refuseUnknownExpectation(req: IncomingMessage): void {
	const { expect } = req.headers;
	if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw fail('EXPECTATION_FAILED');
}

// The server closes the connection after the response: libs/service/src/http-server.ts.
function refuseAmbiguousFraming(req: IncomingMessage): void {
	const message = framingFault(req);
	if (message !== undefined) throw fail('MALFORMED_REQUEST', { message });
}

function countOf(rawHeaders: readonly string[], name: string): number {
	let count = 0;
	for (let index = 0; index < rawHeaders.length; index += 2) {
		if (rawHeaders[index]?.toLowerCase() === name) count += 1;
	}
	return count;
}

/** Deletes in place; what was named in `Connection` goes first, while it can still be read. */
export function stripHeaders(headers: IncomingHttpHeaders): void {
	const { connection } = headers;
	if (connection !== undefined && connection !== 'keep-alive') stripNamed(headers, connection);
	// Most requests have none of them: looking is cheap, deleting turns the object into a slow one.
	for (const name in headers) if (isStripped(name)) delete headers[name];
}

function stripNamed(headers: IncomingHttpHeaders, connection: string): void {
	for (const token of connection.split(',')) {
		const name = token.trim().toLowerCase();
		if (!framing.has(name)) delete headers[name];
	}
}

function isStripped(name: string): boolean {
	return stripped.has(name) || (name.startsWith('x') && reservedPrefix.test(name));
}
