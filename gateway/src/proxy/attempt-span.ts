import { spanMethod, spanPath } from '@paddock/service';
import type { Span } from '@paddock/telemetry';
import type { Upstream } from '../upstream/upstream.ts';
import type { Call } from './attempt.ts';

/** Begins the span of one attempt; undefined if the request is not recorded. */
export function startAttemptSpan(
	{ exchange, method, url, service }: Call,
	{ instance }: Upstream,
): Span | undefined {
	const { span } = exchange.trace;
	if (span === undefined) return undefined;
	const resends = exchange.attempts - 1;
	return span.startChild(spanMethod(method), {
		kind: 'client',
		attributes: {
			'http.request.method': spanMethod(method),
			'http.request.resend_count': resends === 0 ? undefined : resends,
			'url.full': `${instance.url}${spanPath(url)}`,
			'server.address': instance.address,
			'server.port': instance.port,
			'peer.service': service,
			'gateway.instance.id': instance.id,
		},
	});
}
