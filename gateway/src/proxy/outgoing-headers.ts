import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { traceparentOf } from '@paddock/telemetry';
import type { Exchange } from '../exchange.ts';

// Ours replaces the caller's; the hygiene step has dealt with everything that must not go on at all.
const replaced: ReadonlySet<string> = new Set([
	'host',
	'forwarded',
	'x-forwarded-for',
	'x-forwarded-host',
	'x-forwarded-proto',
	'x-forwarded-port',
	'x-forwarded-prefix',
	'x-forwarded-server',
	'x-request-id',
	'x-correlation-id',
	'traceparent',
	'transfer-encoding',
]);

export interface OutgoingHeadersOptions {
	/** host:port of the instance. */
	readonly authority: string;
	/** The peer is one of the trusted proxies, so what it forwarded is believed. */
	readonly peerTrusted: boolean;
}

/** The headers of the request to a service: the caller's, without what is ours to say, then ours. */
export function outgoingHeaders(
	req: IncomingMessage,
	exchange: Exchange,
	options: OutgoingHeadersOptions,
): OutgoingHttpHeaders {
	const headers: OutgoingHttpHeaders = {};
	for (const [name, value] of Object.entries(req.headers)) {
		if (value !== undefined && !replaced.has(name)) headers[name] = value;
	}
	// It has been read by now, so its length is known, whatever the client's framing was.
	if (exchange.body !== undefined) headers['content-length'] = String(exchange.body.bytes.length);
	headers['host'] = options.authority;
	headers['x-forwarded-for'] = exchange.clientAddress;
	headers['x-forwarded-host'] = forwarded(req, 'x-forwarded-host', options) ?? req.headers.host ?? '';
	headers['x-forwarded-proto'] = forwarded(req, 'x-forwarded-proto', options) ?? 'http';
	headers['x-request-id'] = exchange.requestId;
	headers['traceparent'] = traceparentOf(exchange.trace);
	return headers;
}

function forwarded(req: IncomingMessage, name: string, options: OutgoingHeadersOptions): string | undefined {
	const value = req.headers[name];
	return options.peerTrusted && typeof value === 'string' ? value : undefined;
}
