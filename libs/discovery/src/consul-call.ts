import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type Consul from 'consul';
import type { ConsulEndpoint } from './consul-endpoint.ts';

/** A response from Consul: the headers and the body, parsed if its content type is JSON. */
export interface ConsulResponse {
	headers: IncomingMessage['headers'];
	body: unknown;
}

/** How long a query blocks without a change since the index; with an index of 0 it doesn't block. */
export interface Wait {
	index: bigint;
	waitMs: number;
}

export interface ConsulCall<Result> {
	/** The name of the call in the status and in messages: `health.service`. */
	kind: string;
	signal: AbortSignal;
	/** Only of a query, which has a connection of its own because it may block. */
	wait?: Wait;
	/** Time-out of a call that doesn't block; by default that of the endpoint. */
	timeoutMs?: number;
	/** The call of the `consul` package with options that its types lack: `ctx` (cancel, response and body) and `timeout`. */
	run: (consul: Consul, options: object) => Promise<unknown>;
	/** Reads the response; throws an Error if the response is unusable. */
	read: (response: ConsulResponse) => Result;
}

/** Makes one call, bounded by its time-out and its signal. Throws a ConsulCallError. */
export async function callConsul<Result>(
	endpoint: ConsulEndpoint,
	call: ConsulCall<Result>,
): Promise<Result> {
	const { wait } = call;
	const signal = wait === undefined ? call.signal : AbortSignal.any([call.signal, endpoint.signal()]);
	if (signal.aborted) throw new ConsulCallError(`${call.kind}: aborted`, { responded: false });
	const ctx = Object.assign(new EventEmitter(), { includeResponse: true as const });
	const cancel = () => ctx.emit('cancel');
	const limits = limitsOf(call, endpoint.timeoutMs);
	signal.addEventListener('abort', cancel, { once: true });
	try {
		const consul = wait === undefined ? endpoint.calls : endpoint.queries;
		const outcome = await call.run(consul, { ctx, ...limits });
		// papi resolves to the socket error if its `instanceof Error` check runs in another realm than Node's.
		if (!Array.isArray(outcome)) throw outcome;
		const [response, body] = outcome as [IncomingMessage, unknown];
		return readResponse(call, { headers: response.headers, body });
	} catch (cause) {
		// Another call has shown that Consul doesn't respond.
		if (!call.signal.aborted && signal.reason instanceof ConsulCallError) throw signal.reason;
		throw asCallError(call.kind, cause, limits.timeout);
	} finally {
		signal.removeEventListener('abort', cancel);
	}
}

function limitsOf(
	{ wait, timeoutMs }: Pick<ConsulCall<unknown>, 'wait' | 'timeoutMs'>,
	defaultMs: number,
): { readonly timeout: number } {
	if (wait === undefined || wait.index <= 0n) return { timeout: timeoutMs ?? defaultMs };
	const { index, waitMs } = wait;
	// Consul adds up to a sixteenth to the requested wait; one more second is allowed for the response.
	const blocking = { index: String(index), wait: `${waitMs}ms` };
	return { ...blocking, timeout: Math.round(waitMs * 1.1) + 1_000 };
}

function readResponse<Result>({ kind, read }: ConsulCall<Result>, response: ConsulResponse): Result {
	try {
		return read(response);
	} catch (cause) {
		throw new ConsulCallError(`${kind}: ${messageOf(cause)}`, { responded: true, cause });
	}
}

/** papi's errors: `isResponse` is a status other than 2xx, `isCodec` a body that isn't the declared JSON. */
function asCallError(kind: string, cause: unknown, timeoutMs: number): ConsulCallError {
	if (cause instanceof ConsulCallError) return cause;
	const marks = typeof cause === 'object' && cause !== null ? cause : {};
	const responded = 'isResponse' in marks || 'isCodec' in marks;
	const statusCode = responded && 'statusCode' in marks ? Number(marks.statusCode) : undefined;
	const words = inWords(cause, timeoutMs);
	if (words !== undefined) return new ConsulCallError(words, { responded, cause });
	const status = statusCode === undefined ? '' : ` (HTTP ${statusCode})`;
	return new ConsulCallError(`${kind}: ${messageOf(cause)}${status}`, {
		responded,
		// 429: this agent has too many connections of ours; another one may not.
		refused: statusCode !== undefined && statusCode >= 400 && statusCode < 500 && statusCode !== 429,
		cause,
	});
}

const connectionFailures: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'Consul refuses connections',
	ECONNRESET: 'Consul has closed the connection',
	EHOSTUNREACH: 'Consul is not reachable',
	ENETUNREACH: 'Consul is not reachable',
	ENOTFOUND: 'The name of the Consul server is unknown',
	EAI_AGAIN: 'The name of the Consul server is unknown',
};

/** A failure that isn't one of this call; without addresses, because the health view may be public. */
function inWords(cause: unknown, timeoutMs: number): string | undefined {
	if (typeof cause !== 'object' || cause === null) return undefined;
	if ('isTimeout' in cause) return `Consul does not respond within ${timeoutMs / 1_000} s`;
	return 'code' in cause ? connectionFailures[String(cause.code)] : undefined;
}

/** Connecting to a name with several addresses fails with an AggregateError that has a code but no message. */
function messageOf(cause: unknown): string {
	if (typeof cause !== 'object' || cause === null) return String(cause);
	// The package begins its messages with the name of the call.
	if ('message' in cause && cause.message !== '')
		return String(cause.message).replace(/^consul: [\w.]+: /, '');
	return 'code' in cause ? String(cause.code) : 'failed';
}

/** A failed call to Consul. The message names the call, unless Consul is not reachable, and never contains the token. */
export class ConsulCallError extends Error {
	override readonly name = 'ConsulCallError';
	/** True if Consul returned an unusable HTTP response; false if the connection failed or timed out. */
	readonly responded: boolean;
	/** True if every address of the same Consul would refuse the call, e.g. for its token. */
	readonly refused: boolean;

	constructor(message: string, options: { responded: boolean; refused?: boolean; cause?: unknown }) {
		super(message, { cause: options.cause });
		this.responded = options.responded;
		this.refused = options.refused ?? false;
	}
}
