import type { IncomingMessage } from 'node:http';
import type { Span, SpanAttributes } from '@paddock/telemetry';
import { loggable } from '@paddock/telemetry/loggable';

interface ServerSpanEnd {
	readonly requestId: string;
	/** The declared route, never the raw path. */
	readonly route: string;
	/** Undefined if the client disconnected before the response was complete. */
	readonly status: number | undefined;
	/** Why the request failed, if that is more precise than the status. */
	readonly errorType?: string | undefined;
	/** Beyond those of every HTTP server. */
	readonly attributes?: SpanAttributes;
}

/** The methods that the system accepts. */
export const methods: ReadonlySet<string> = new Set([
	'GET',
	'HEAD',
	'POST',
	'PUT',
	'PATCH',
	'DELETE',
	'OPTIONS',
]);

// The values that the convention knows; any other method becomes _OTHER.
const knownMethods: ReadonlySet<string> = new Set([...methods, 'CONNECT', 'TRACE']);

export function spanMethod(method: string | undefined): string {
	return method !== undefined && knownMethods.has(method) ? method : '_OTHER';
}

/** Path for `url.path`: without the query, secrets replaced. */
export function spanPath(url: string): string {
	const query = url.indexOf('?');
	return String(loggable((query === -1 ? url : url.slice(0, query)).slice(0, 1_000)));
}

/** Ends the span of a request, of which a 4xx is no failure: https://opentelemetry.io/docs/specs/semconv/http/http-spans/ */
export function endServerSpan(
	span: Span | undefined,
	req: IncomingMessage,
	{ requestId, route, status, errorType, attributes }: ServerSpanEnd,
): void {
	if (span === undefined) return;
	const method = spanMethod(req.method);
	span.rename(`${method} ${route}`);
	span.set({
		'http.request.method': method,
		'http.request.header.x-request-id': [requestId],
		'http.route': route,
		'http.response.status_code': status,
		'url.path': spanPath(req.url ?? '/'),
		'url.scheme': 'http',
		'network.protocol.version': req.httpVersion,
		...attributes,
	});
	if (status === undefined) span.set({ 'error.type': errorType ?? 'clientAborted' });
	else if (status >= 500) span.fail(errorType ?? String(status));
	span.end();
}
