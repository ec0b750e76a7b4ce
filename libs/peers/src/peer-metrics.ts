import { durationBucketsSeconds, type Metrics } from '@paddock/telemetry';
import { Histogram } from 'prom-client';
import type { CallOutcome, NoInstanceAvailable } from './call-outcome.ts';

/** The outcome of a call, including both attempts and fetching the token. */
export type CallEnding = (CallOutcome | NoInstanceAvailable)['kind'] | 'noToken' | 'aborted';

export type ObserveCall = (peer: string, ending: CallEnding, durationMs: number) => void;

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
