import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ForwardAnswer } from './forwarder.ts';

const dropped: ReadonlySet<string> = new Set([
	'connection',
	'proxy-connection',
	'keep-alive',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	'proxy-authenticate',
	'proxy-authentication-info',
	'x-powered-by',
	'server',
	// The gateway's own to say.
	'x-request-id',
	'traceparent',
	'access-control-allow-origin',
	'access-control-allow-credentials',
	'access-control-expose-headers',
]);

/** Whether an answer can be passed on: a failure that isn't JSON is no envelope, so it gets one instead. */
export function isPresentable(answer: ForwardAnswer): boolean {
	return (
		answer.status < 400 || /^application\/(?:[\w.+-]+\+)?json/i.test(answer.headers['content-type'] ?? '')
	);
}

/**
 * Passes an answer on: status, end-to-end headers, body. Resolves when the client has all of it; rejects when
 * either side broke off, and then the client's connection is broken, too, so that half a body never looks whole.
 */
export async function relayAnswer(res: ServerResponse, answer: ForwardAnswer): Promise<void> {
	res.statusCode = answer.status;
	const named = connectionNamed(answer.headers);
	for (const [name, value] of Object.entries(answer.headers)) {
		// What the gateway has set already (helmet's headers, the drain's Connection) stays as it is.
		if (value === undefined || dropped.has(name) || named.has(name) || res.hasHeader(name)) continue;
		res.setHeader(name, value);
	}
	// The first byte of a stream may be long in coming; a body of known length follows at once, in the same packet.
	if (answer.headers['content-length'] === undefined) res.flushHeaders();
	await pipeline(answer.body, res);
}

function connectionNamed(headers: IncomingHttpHeaders): ReadonlySet<string> {
	if (headers.connection === undefined) return new Set();
	return new Set(headers.connection.split(',').map((token) => token.trim().toLowerCase()));
}
