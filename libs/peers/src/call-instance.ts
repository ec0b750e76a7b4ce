import type { Agent } from 'node:http';
import { activeSpan, inChildSpan, traceparentOf } from '@paddock/telemetry';
import { brokenConnection, failedPartHeader } from '@paddock/upstream';
import axios, { AxiosError } from 'axios';
import type { z } from 'zod';
import { type CallOutcome, isFailure } from './call-outcome.ts';
import { readResponse } from './read-response.ts';

/** A request to a peer, independent of the instance. */
export interface Call {
	readonly method: 'GET' | 'POST';
	/** Includes the query. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Sent as JSON. */
	readonly body?: unknown;
	readonly schema: z.ZodType;
}

export interface AttemptLimits {
	readonly timeoutMs: number;
	readonly signal: AbortSignal;
	/** Earlier attempts of the same call. */
	readonly resends: number;
}

const responseBytesMax = 1_048_576;

/**
 * One attempt at one instance.
 * @throws the signal's reason when it is aborted; nothing else.
 */
async function callInstance(
	call: Call,
	target: { readonly url: string; readonly agent: Agent },
	limits: AttemptLimits,
): Promise<CallOutcome> {
	const late = AbortSignal.timeout(limits.timeoutMs);
	try {
		const { status, data, headers } = await axios.request<string>({
			method: call.method,
			// Concatenated as text: a path that begins with `//` must not change the host.
			url: `${target.url}${call.path}`,
			headers: {
				...call.headers,
				Accept: 'application/json',
				'Accept-Encoding': 'identity',
				'X-Request-Deadline-Ms': String(limits.timeoutMs),
			},
			...(call.body === undefined ? {} : { data: call.body }),
			signal: AbortSignal.any([limits.signal, late]),
			httpAgent: target.agent,
			// HTTP_PROXY in the environment is for external addresses.
			proxy: false,
			maxRedirects: 0,
			maxContentLength: responseBytesMax,
			decompress: false,
			responseType: 'text',
			// `readResponse` parses: axios would return invalid JSON as text.
			transformResponse: (text: string) => text,
			validateStatus: () => true,
		});
		return readResponse({ status, failedPart: headers[failedPartHeader], body: data }, call.schema);
	} catch (error) {
		limits.signal.throwIfAborted();
		if (late.aborted)
			return { kind: 'timeout', cause: new Error(`No response within ${limits.timeoutMs} ms.`) };
		return { kind: kindOf(error), cause: reasonOf(error) };
	}
}

// Errors of connect() and DNS; no request was sent.
const notConnectedCodes: ReadonlySet<string> = new Set([
	'ECONNREFUSED',
	'EHOSTUNREACH',
	'EHOSTDOWN',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
	'ENOTFOUND',
	'EAI_AGAIN',
]);

function kindOf(error: unknown): 'unreachable' | 'reset' | 'staleConnection' | 'unusable' {
	if (!(error instanceof AxiosError)) return 'unusable';
	// axios has one code for both a response that is too long and one that was cut off.
	if (error.message.includes('maxContentLength') || error.code?.startsWith('HPE_') === true)
		return 'unusable';
	if (notConnectedCodes.has(error.code ?? '')) return 'unreachable';
	const reused: unknown = error.request === undefined ? false : Reflect.get(error.request, 'reusedSocket');
	return brokenConnection(error.code === 'ECONNRESET' && reused === true);
}

/** An AxiosError contains the whole request, credentials included: only its code and message are kept. */
function reasonOf(error: unknown): Error {
	if (!(error instanceof AxiosError)) return error instanceof Error ? error : new Error(String(error));
	return new Error(error.code === undefined ? error.message : `${error.code}: ${error.message}`);
}

type Target = Parameters<typeof callInstance>[1];

/** As `callInstance`, with a span of its own in a recorded request: the peer's span is a child of this attempt. */
export function callWithSpan(call: Call, target: Target, limits: AttemptLimits): Promise<CallOutcome> {
	const parent = activeSpan();
	if (parent === undefined) return callInstance(call, target, limits);
	const { hostname, port } = new URL(target.url);
	const attributes = {
		'http.request.method': call.method,
		'http.request.resend_count': limits.resends === 0 ? undefined : limits.resends,
		'url.full': `${target.url}${call.path.split('?', 1)[0]}`,
		'server.address': hostname,
		'server.port': port === '' ? undefined : Number(port),
	};
	return inChildSpan(parent, call.method, { kind: 'client', attributes }, async (span) => {
		const traceparent = span === undefined ? {} : { traceparent: traceparentOf(span.trace) };
		const outcome = await callInstance(
			{ ...call, headers: { ...call.headers, ...traceparent } },
			target,
			limits,
		);
		if (isFailure(outcome)) span?.fail(outcome.kind);
		else if (outcome.kind !== 'responded') span?.set({ 'error.type': outcome.kind });
		return outcome;
	});
}
