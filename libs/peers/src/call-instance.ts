import type { Agent } from 'node:http';
import { activeSpan, inChildSpan, traceparentOf } from '@paddock/telemetry';
import { brokenConnection, failedPartHeader, failureOfResponse } from '@paddock/upstream';
import axios, { AxiosError } from 'axios';
import { z } from 'zod';
import { type CallOutcome, isFailure } from './call-outcome.ts';

export interface Call {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
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

/** One attempt at one instance. @throws the signal's reason when it is aborted; nothing else */
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

// The envelope of every response; the caller's schema validates `data`.
const success = z.strictObject({
	success: z.literal(true),
	data: z.unknown(),
	message: z.string(),
	timestamp: z.string(),
});
const failure = z.object({ success: z.literal(false), data: z.object({ code: z.string() }) });

interface PeerResponse {
	readonly status: number;
	/** The dependency because of which the instance can't respond, from `X-Failed-Part`. */
	readonly failedPart: unknown;
	readonly body: string;
}

/** Classifies a complete response: `data` parsed by the schema, or the kind of failure. */
function readResponse({ status, failedPart, body }: PeerResponse, schema: z.ZodType): CallOutcome {
	if (status === 200 || status === 201) return readSuccess(body, schema);
	const outage = failureOfResponse(status, failedPart);
	if (outage !== undefined) {
		const part = failedPart === undefined ? '' : ` for ${failedPart}`;
		return { kind: outage, cause: new Error(`It responded with ${status}${part}.`) };
	}
	const code = codeOf(body);
	if (status === 404 && code === 'NOT_FOUND') return { kind: 'notFound' };
	if (status === 401) return { kind: 'unauthenticated' };
	return {
		kind: 'refused',
		cause: new Error(`It responded with ${status} ${code ?? 'without an envelope'}.`),
	};
}

function readSuccess(body: string, schema: z.ZodType): CallOutcome {
	const envelope = success.safeParse(parsed(body));
	if (!envelope.success) return { kind: 'unusable', cause: new Error('The response is not an envelope.') };
	const data = schema.safeParse(envelope.data.data);
	if (data.success) return { kind: 'responded', data: data.data };
	// Only path and code: the values are personal data, which must not be logged.
	const issues = data.error.issues.map(({ path, code }) => `${path.join('.') || '(data)'}: ${code}`);
	return {
		kind: 'unusable',
		cause: new Error(`The data has another shape. ${issues.slice(0, 10).join('; ')}`),
	};
}

function codeOf(body: string): string | undefined {
	return failure.safeParse(parsed(body)).data?.data.code;
}

function parsed(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined; // Not JSON, so not an envelope either; the caller reports that.
	}
}
