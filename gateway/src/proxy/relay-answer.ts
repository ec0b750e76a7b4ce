import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { UpstreamFailure } from './failures.ts';
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

// flushHeaders() would write header values in UTF-8 that came in Latin-1; beside bytes they stay what they are.
const noBytes = Buffer.alloc(0);

/** Whether an answer can be passed on: a failure that isn't JSON is no envelope, so it gets one instead. */
export function isPresentable(answer: ForwardAnswer): boolean {
	return (
		answer.status < 400 || /^application\/(?:[\w.+-]+\+)?json/i.test(answer.headers['content-type'] ?? '')
	);
}

/**
 * Passes an answer on: status, end-to-end headers, body. Resolves when the client has all of it. When either side
 * breaks off, the client's connection is broken, too, so that half a body never looks whole.
 * `onCutOff` is called before the client's connection closes, for whoever takes note of that.
 * @throws UpstreamFailure `cutOff` or `clientAborted`
 */
export async function relayAnswer(
	res: ServerResponse,
	answer: ForwardAnswer,
	onCutOff: () => void,
): Promise<void> {
	res.statusCode = answer.status;
	setHeaders(res, answer);
	// Without a length and without chunks the end of the connection is the end of the body; only a reset is not.
	const endsWithConnection = !res.hasHeader('content-length') && res.req.httpVersion === '1.0';
	let cutOff = false;
	const onBroken = (): void => {
		// The client was first, and what it left behind is broken off because of that.
		if (res.destroyed) return;
		cutOff = true;
		onCutOff();
		if (endsWithConnection) res.socket?.resetAndDestroy();
	};
	answer.body.once('error', onBroken);
	// The first byte of a stream may be long in coming; a body of known length follows at once, in the same packet.
	if (answer.headers['content-length'] === undefined) res.write(noBytes);
	try {
		await pipeline(answer.body, res);
	} catch (error) {
		throw new UpstreamFailure(cutOff ? 'cutOff' : 'clientAborted', error);
	}
}

function setHeaders(res: ServerResponse, { status, headers }: ForwardAnswer): void {
	const named = connectionNamed(headers);
	for (const [name, value] of Object.entries(headers)) {
		if (value === undefined || dropped.has(name) || named.has(name)) continue;
		// RFC 9110 §8.6: a 204 has no length, not even 0.
		if (status === 204 && name === 'content-length') continue;
		if (name === 'vary') res.setHeader(name, [res.getHeader(name) ?? [], value].flat().join(', '));
		// What the gateway has set already (helmet's headers, the drain's Connection) stays as it is.
		else if (!res.hasHeader(name)) res.setHeader(name, value);
	}
}

function connectionNamed(headers: IncomingHttpHeaders): ReadonlySet<string> {
	if (headers.connection === undefined) return new Set();
	return new Set(headers.connection.split(',').map((token) => token.trim().toLowerCase()));
}
