import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { requestIdOf } from '@paddock/service';
import { continueTrace, type Tracing, traceparentOf } from '@paddock/telemetry';
import { beginExchange } from '../exchange.ts';
import { OwnHeaders } from '../headers.ts';
import type { Step } from '../pipeline.ts';

/** Whether an address is that of a proxy whose forwarding headers are trusted. */
export type IsTrustedPeer = (address: string | undefined) => boolean;

export interface RequestStartDeps {
	readonly isTrustedPeer: IsTrustedPeer;
	readonly tracing: Tracing;
	/** Probes and scrapes below this prefix arrive every few seconds; they are not recorded. */
	readonly quietPrefix: string;
}

/** Assigns each request its id and trace context, and returns both in the response. */
export function requestStart(deps: RequestStartDeps): Step {
	const { tracing, quietPrefix } = deps;
	return function requestStart(req): undefined {
		const { url = '/' } = req;
		const traceparent = req.headers['traceparent'];
		const begin = tracing.isOn && !url.startsWith(quietPrefix) ? tracing.begin : continueTrace;
		const trace = begin(typeof traceparent === 'string' ? traceparent : undefined);
		// W3C Trace Context §3.3.1.3: `tracestate` belongs to the trace that it came with.
		if (req.headers['tracestate'] !== undefined && !isOf(traceparent, trace.traceId))
			delete req.headers['tracestate'];
		const requestId = requestIdOf(req.headers);
		const query = url.indexOf('?');
		const startedAt = performance.now();
		const ownHeaders = new OwnHeaders();
		ownHeaders.add('X-Request-Id', requestId);
		ownHeaders.add('traceparent', traceparentOf(trace));
		beginExchange(req, {
			requestId,
			trace,
			startedAt,
			receivedAt: startedAt,
			clientAddress: clientAddress(req, deps.isTrustedPeer),
			path: query === -1 ? url : url.slice(0, query),
			route: 'unmatched',
			context: undefined,
			principal: undefined,
			body: undefined,
			failure: undefined,
			retriedAfter: undefined,
			instanceId: undefined,
			attempts: 0,
			cache: undefined,
			upstreamMs: 0,
			bytesBefore: req.socket.bytesWritten,
			isRecordedByPrimary: false,
			ownHeaders,
		});
	};
}

function isOf(traceparent: string | string[] | undefined, traceId: string): boolean {
	return typeof traceparent === 'string' && traceparent.includes(traceId);
}

/**
 * The peer's address, or the last forwarded address before the trusted proxies. Limits and logs use it, so a forwarded value
 * that is not an address is ignored.
 */
function clientAddress(req: IncomingMessage, isTrustedPeer: IsTrustedPeer): string {
	const peer = req.socket.remoteAddress ?? '';
	const forwarded = req.headers['x-forwarded-for'];
	if (typeof forwarded !== 'string' || !isTrustedPeer(peer)) return peer;
	const addresses = forwarded.split(',').map((address) => address.trim());
	let nearest = peer;
	while (addresses.length > 0 && isTrustedPeer(nearest)) nearest = addresses.pop() ?? peer;
	return isIP(nearest) === 0 ? peer : nearest;
}
