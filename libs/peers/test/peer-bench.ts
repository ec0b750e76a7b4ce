import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMetrics, type Metrics, silentLogger } from '@paddock/telemetry';
import {
	createMovingClock,
	createSettableRegistry,
	type MovingClock,
	recordingUpstream,
	type SettableRegistry,
	type TestUpstream,
} from '@paddock/testing';
import { z } from 'zod';
import { type CallingRequest, openPeers, type Peers } from '../src/index.ts';
import type { PeerRequest } from '../src/peer.ts';
import type { PeersDeps } from '../src/peers.ts';

export type Responder = (req: IncomingMessage, res: ServerResponse) => void;

export const rider = z.object({ id: z.string(), name: z.string() });

export interface PeerBench {
	readonly peers: Peers;
	readonly registry: SettableRegistry;
	readonly metrics: Metrics;
	readonly clock: MovingClock;
	/** Calls members for a rider. */
	call(
		changes?: Partial<PeerRequest<typeof rider> & CallingRequest>,
	): Promise<z.output<typeof rider> | undefined>;
	/** Puts an instance of a service in place, beside those that are there. */
	instance(service: string, response: Responder): Promise<TestUpstream>;
	/** The calls that the metric has counted for members, by outcome. */
	outcomes(): Promise<Record<string, number>>;
	close(): Promise<void>;
}

/** Peers of `events-service`, and any number of instances to call. */
export function openBench(
	options: Pick<PeersDeps, 'timeoutMs' | 'breaker' | 'retryBudget' | 'tls'> = {},
): PeerBench {
	const registry = createSettableRegistry({});
	const clock = createMovingClock();
	const metrics = createMetrics({ prefix: 'service', service: 'events-service' });
	const upstreams: TestUpstream[] = [];
	const urls = new Map<string, string[]>();
	const peers = openPeers({
		calls: ['members', 'horses'],
		registry,
		client: 'events-service',
		secret: 'the-secret-of-events-in-these-tests',
		logger: silentLogger(),
		metrics,
		now: clock.now,
		timeoutMs: 1_000,
		...options,
	});
	return {
		peers,
		registry,
		metrics,
		clock,
		call: ({
			requestId = 'request-1',
			signal = new AbortController().signal,
			traceparent,
			...changes
		} = {}) =>
			peers.peer('members-service').get({
				path: '/internal/members/lookup',
				schema: rider,
				credentials: 'none',
				context: { requestId, signal, ...(traceparent === undefined ? {} : { traceparent }) },
				...changes,
			}),
		instance: async (service, response) => {
			const upstream = await recordingUpstream(response);
			upstreams.push(upstream);
			const all = [...(urls.get(service) ?? []), upstream.url];
			urls.set(service, all);
			registry.set(service, all);
			return upstream;
		},
		outcomes: async () => {
			const metric = await metrics.registry.getSingleMetric('service_peer_call_duration_seconds')?.get();
			const counts = (metric?.values ?? []).filter((value) =>
				Reflect.get(value, 'metricName')?.endsWith('_count'),
			);
			return Object.fromEntries(counts.map(({ labels, value }) => [String(labels['outcome']), value]));
		},
		close: async () => {
			await peers.close();
			await Promise.all(upstreams.map((upstream) => upstream.close()));
		},
	};
}

/** The envelope around `data`. */
export function respondWithData(data: unknown): Responder {
	return respondText(200, JSON.stringify({ success: true, data, message: 'Done', timestamp: new Date() }));
}

export function respondWithFailure(status: number, code: string): Responder {
	const data = { code, status, requestId: 'x' };
	return respondText(status, JSON.stringify({ success: false, data, message: 'No', timestamp: new Date() }));
}

export function respondText(status: number, text: string, headers: Record<string, string> = {}): Responder {
	return (_req, res) => {
		res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
	};
}

export const anna = { id: 'a', name: 'Anna' };
