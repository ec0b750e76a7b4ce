import { activeSpan, inChildSpan, traceparentOf } from '@paddock/telemetry';
import { type AttemptLimits, type Call, callInstance } from './call-instance.ts';
import { type CallOutcome, isFailure } from './call-outcome.ts';

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
