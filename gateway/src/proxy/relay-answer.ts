import type { ServerResponse } from 'node:http';
import type { AnswerHeaders } from '../answer-headers.ts';
import { securityHeaderNames } from '../edge/security-headers.ts';
import { failedPartHeader, UpstreamFailure } from '../failures.ts';
import type { ForwardAnswer } from '../forwarder/forwarder.ts';

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
	failedPartHeader,
	// The gateway's own to say.
	'x-request-id',
	'traceparent',
	'access-control-allow-origin',
	'access-control-allow-credentials',
	'access-control-expose-headers',
	...securityHeaderNames,
]);

// flushHeaders() would write header values in UTF-8 that came in Latin-1; beside bytes they stay what they are.
const noBytes = Buffer.alloc(0);
const json = /^application\/(?:[\w.+-]+\+)?json/i;

/** Whether an answer can be passed on: a failure that isn't JSON is no envelope, so it gets one instead. */
export function isPresentable(answer: ForwardAnswer): boolean {
	return answer.status < 400 || json.test(answer.headers['content-type'] ?? '');
}

/**
 * Passes an answer on: status, end-to-end headers beside `own` ones, body. Resolves when the client has all of it. When
 * either side breaks off, the client's connection is broken, too, so that half a body never looks whole.
 * `onCutOff` is called before the client's connection closes, for whoever takes note of that.
 * @throws UpstreamFailure `cutOff` or `clientAborted`
 */
export async function relayAnswer(
	res: ServerResponse,
	answer: ForwardAnswer,
	own: AnswerHeaders,
	onCutOff: () => void,
): Promise<void> {
	const { headers } = answer;
	const hasLength = headers['content-length'] !== undefined;
	// Without a length and without chunks the end of the connection is the end of the body; only a reset is not.
	const endsWithConnection = !hasLength && res.req.httpVersion === '1.0';
	let cutOff = false;
	const onBroken = (): void => {
		// The client was first, and what it left behind is broken off because of that.
		if (res.destroyed) return;
		cutOff = true;
		onCutOff();
		if (endsWithConnection) res.socket?.resetAndDestroy();
	};
	try {
		res.writeHead(answer.status, headOf(res, answer, own));
	} catch (error) {
		answer.body.destroy();
		throw error;
	}
	// The first byte of a stream may be long in coming; a body of known length follows at once, in the same packet.
	if (!hasLength && !answer.body.whole) res.write(noBytes);
	try {
		await answer.body.sendTo(res, onBroken);
	} catch (error) {
		throw new UpstreamFailure(cutOff ? 'cutOff' : 'clientAborted', error);
	}
}

/** All headers in the one list that Node writes as it is. */
function headOf(res: ServerResponse, { status, headers }: ForwardAnswer, own: AnswerHeaders): string[] {
	const head = [...own.list];
	const named = headers.connection === undefined ? undefined : connectionNamed(headers.connection);
	for (const name in headers) {
		const value = headers[name];
		if (value === undefined || dropped.has(name) || named?.has(name)) continue;
		// RFC 9110 §8.6: a 204 has no length, not even 0.
		if (status === 204 && name === 'content-length') continue;
		// Some that the gateway says only now and then, e.g. how much is left of a limit, stay what they are.
		if (name.startsWith('ratelimit-') && own.has(name)) continue;
		if (Array.isArray(value)) for (const each of value) head.push(name, each);
		else if (name === 'vary') head.push(name, [res.getHeader(name) ?? [], value].flat().join(', '));
		else head.push(name, value);
	}
	return head;
}

function connectionNamed(connection: string): ReadonlySet<string> | undefined {
	if (connection === 'keep-alive' || connection === 'close') return undefined;
	return new Set(connection.split(',').map((token) => token.trim().toLowerCase()));
}
