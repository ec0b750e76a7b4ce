import { durationBucketsSeconds, type Logger, type Metrics } from '@paddock/telemetry';
import { Histogram } from 'prom-client';
import type { z } from 'zod';
import type { Call } from './call-instance.ts';
import { type CallOutcome, type NoInstanceAvailable, peerError } from './call-outcome.ts';
import { type CallLimits, callWithRetry } from './call-with-retry.ts';
import type { Peer, PeerRequest } from './peer.ts';
import type { PeerInstances } from './peer-instances.ts';
import type { ServiceToken } from './service-token.ts';

interface OpenPeerDeps {
	readonly service: string;
	readonly instances: PeerInstances;
	readonly token: ServiceToken;
	readonly client: string;
	readonly timeoutMs: number;
	readonly logger: Logger;
	readonly observe: ObserveCall;
}

type Ending = CallOutcome | NoInstanceAvailable;

/** One call: 1. the credentials; 2. the attempts; 3. once more with a new token if ours is refused; 4. the result. */
export function openPeer(deps: OpenPeerDeps): Peer {
	const { service, timeoutMs, token, observe } = deps;
	const get = async <T extends z.ZodType>(request: PeerRequest<T>): Promise<z.output<T> | undefined> => {
		const startedAtMs = performance.now();
		const end = (ending: CallEnding): void => observe(service, ending, performance.now() - startedAtMs);
		const { signal } = request.context;
		const limits = { timeoutMs, endMs: startedAtMs + 2 * timeoutMs, signal };
		let step: CallEnding = 'noToken';
		try {
			signal.throwIfAborted();
			const ours = request.credentials === 'service' ? await token.get(request.context) : undefined; // 1
			let ending = await callService(deps, request, ours, limits); // 2
			if (ending.kind === 'unauthenticated' && ours !== undefined) {
				token.drop(ours);
				ending = await callService(deps, request, await token.get(request.context), limits); // 3
			}
			step = ending.kind;
			return resultOf(deps, request, ending); // 4
		} finally {
			end(signal.aborted && step === 'noToken' ? 'aborted' : step);
		}
	};
	return {
		get,
		require: async (request) => {
			const found = await get(request);
			if (found === undefined) throw peerError(service, { kind: 'notFound' });
			return found;
		},
	};
}

function callService(
	{ instances, client }: OpenPeerDeps,
	request: PeerRequest<z.ZodType>,
	token: string | undefined,
	limits: CallLimits,
): Promise<Ending> {
	const authorization = authorizationOf(request.credentials, token);
	const { requestId, traceparent } = request.context;
	const call: Call = {
		method: request.body === undefined ? 'GET' : 'POST',
		...(request.body === undefined ? {} : { body: request.body }),
		path: pathOf(request),
		headers: {
			'User-Agent': client,
			'X-Request-Id': requestId,
			// Decisions depend on the response: a list of the peer must not come from its read replica.
			'Cache-Control': 'no-cache',
			...(traceparent === undefined ? {} : { traceparent }),
			...(authorization === undefined ? {} : { Authorization: authorization }),
		},
		schema: request.schema,
	};
	return callWithRetry(instances, call, limits);
}

function authorizationOf(
	credentials: PeerRequest<z.ZodType>['credentials'],
	token: string | undefined,
): string | undefined {
	if (typeof credentials === 'object') return credentials.authorization;
	return token === undefined ? undefined : `Bearer ${token}`;
}

function pathOf({ path, query = {} }: PeerRequest<z.ZodType>): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
	return search.size === 0 ? path : `${path}?${search}`;
}

function resultOf<T extends z.ZodType>(
	{ service, logger }: OpenPeerDeps,
	{ path, context: { requestId } }: PeerRequest<T>,
	ending: Ending,
): z.output<T> | undefined {
	if (ending.kind === 'responded') return ending.data as z.output<T>;
	if (ending.kind === 'notFound') return undefined;
	if (ending.kind === 'refused' || ending.kind === 'unusable' || ending.kind === 'unauthenticated') {
		const cause = 'cause' in ending ? ending.cause : undefined;
		logger.error('a peer and this service do not agree', {
			peer: service,
			path,
			requestId,
			kind: ending.kind,
			cause,
		});
	}
	throw peerError(service, ending);
}

/** The outcome of a call, including both attempts and fetching the token. */
type CallEnding = (CallOutcome | NoInstanceAvailable)['kind'] | 'noToken' | 'aborted';

type ObserveCall = (peer: string, ending: CallEnding, durationMs: number) => void;

/** Adds the histogram of calls to other services to a process's metrics. */
export function peerMetrics({ registry }: Metrics): ObserveCall {
	const duration = new Histogram({
		name: 'service_peer_call_duration_seconds',
		help: 'Duration of calls to other services in seconds, by peer and outcome.',
		labelNames: ['peer', 'outcome'] as const,
		buckets: durationBucketsSeconds,
		registers: [registry],
	});
	return (peer, outcome, durationMs) => duration.observe({ peer, outcome }, durationMs / 1_000);
}
